import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { isPlanned } from '../../value/check/planned-options.ts';
import { checkName, type NamedThing } from '../../value/id.ts';
import { printable } from '../../value/printable.ts';

/** Something that keeps a graph from being compiled. */
export interface Problem {
  /** The node with the problem. Absent if it concerns the whole graph. */
  readonly node?: string;
  /** The problem, and what to do. */
  readonly what: string;
}

/** Records a problem, so that all of them are reported together. */
export type Complain = (what: string) => void;

/** What is compiled, for messages. */
export type GraphKind = 'graph' | 'workflow';

/** The error that lists every problem of a graph or workflow. */
export function invalidGraph(kind: GraphKind, name: string | undefined, problems: readonly Problem[]): HoldfastError {
  const title = name === undefined ? `A ${kind}` : `${kind === 'graph' ? 'Graph' : 'Workflow'} ${quoted(name)}`;
  const lines = problems.map(({ node, what }) => (node === undefined ? what : `Node ${quoted(node)}: ${what}`));
  const [only] = lines;
  const message =
    lines.length === 1
      ? `${title} has a problem. ${only}`
      : `${title} has ${lines.length} problems:\n${lines.map((line) => `- ${line}`).join('\n')}`;
  return holdfastError('HOLDFAST_INVALID_GRAPH', message, { details: { graph: name, problems } });
}

/** Quotes a name for a message. */
export function quoted(name: string): string {
  return `"${printable(name)}"`;
}

/** Reports an invalid name. */
export function complainOfName(what: NamedThing, name: unknown, complain: Complain): void {
  try {
    checkName(what, name);
  } catch (error) {
    complain((error as Error).message);
  }
}

/** Reports unknown options, so that a misspelt one is not ignored silently. */
export function complainOfUnknown(
  options: Readonly<Record<string, unknown>>,
  { of, known, complain }: { readonly of: string; readonly known: readonly string[]; readonly complain: Complain },
): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    if (isPlanned(key)) complain(`${of} has no option ${quoted(key)} yet. It is planned.`);
    else complain(`${of} has no option ${quoted(key)}. Known options: ${known.join(', ')}.`);
  }
}
