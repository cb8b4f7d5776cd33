import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type ChannelSet, channelProblems, channelSet } from '../channel/channel-set.ts';
import type { Channels } from '../channel/channels.ts';
import { isSchema } from '../channel/standard-schema.ts';
import { askRule, readAsk } from './ask.ts';
import type { CompiledAsk, CompiledMigration } from './compile/compiled-graph.ts';
import { type Complain, complainOfName, complainOfUnknown, type GraphKind, quoted } from './compile/problem.ts';
import { isOptions } from './draft/is-options.ts';
import { type Migration, readMigrations } from './migration.ts';
import { isCount, isLimit, limitRule, policyKeys } from './policy.ts';

/**
 * The options of graphs and workflows besides their state or input.
 *
 * @example
 * ```ts
 * const orders = workflow('orders', { input: z.string(), receives: { paid: z.string() }, version: 2 }, async (id) => id);
 * ```
 */
export interface Definition<A, R, E, P = object> {
  /** The questions it asks. */
  readonly asks?: A;
  /** The messages it receives. */
  readonly receives?: R;
  /** The schema of its emits. If set, emits are journalled. */
  readonly emits?: StandardSchemaV1<unknown, E>;
  /**
   * What its bodies work with, such as clients of services: `deps` in their context. Never journalled. In tests,
   * `graph.with({ llm: fake })` replaces some of it.
   *
   * ```ts
   * const chat = graph('chat', { state, deps: { llm: openai } });
   * ```
   */
  readonly deps?: P;
  /** How many super-steps a turn may take, if a run is not started with another limit. Default: 100 if the graph has a cycle. */
  readonly maxSupersteps?: number;
  /** Default 1. */
  readonly version?: number;
  /** Migrations, by the version they migrate from. */
  readonly migrate?: Readonly<Record<number, Migration>>;
}

/** A parsed definition. Invalid parts were reported and left out. */
export interface ReadDefinition {
  readonly version: number;
  readonly channels: ChannelSet;
  readonly asks: ReadonlyMap<string, CompiledAsk>;
  readonly receives: ReadonlyMap<string, StandardSchemaV1>;
  readonly emits: StandardSchemaV1 | undefined;
  readonly input: StandardSchemaV1 | undefined;
  readonly deps: object;
  readonly output: ((state: object) => unknown) | undefined;
  readonly outputSchema: StandardSchemaV1 | undefined;
  readonly maxSupersteps: number | undefined;
  readonly migrations: ReadonlyMap<number, CompiledMigration>;
}

const commonKeys = ['asks', 'receives', 'emits', 'deps', 'output', 'maxSupersteps', 'version', 'migrate'];
const keys: Readonly<Record<GraphKind, readonly string[]>> = {
  graph: ['state', ...commonKeys],
  workflow: ['input', ...commonKeys, ...policyKeys],
};

/** Parses the definition passed to `graph` or `workflow`. */
export function readDefinition(kind: GraphKind, given: unknown, complain: Complain): ReadDefinition {
  const definition = isOptions(given) ? given : {};
  if (definition !== given) {
    const example = kind === 'graph' ? '{ state: { topic: z.string() } }' : '{ input: z.string() }';
    complain(`The definition is not an object. Pass one such as ${example}.`);
  } else {
    complainOfUnknown(definition, { of: 'The definition', known: keys[kind], complain });
  }
  const { state, asks, receives, emits, input, deps = {}, maxSupersteps, version = 1, migrate } = definition;
  if (maxSupersteps !== undefined && !isLimit(maxSupersteps)) complain(`"maxSupersteps" ${limitRule}.`);
  if (!isCount(version)) complain('"version" must be an integer of at least 1.');
  if (emits !== undefined && !isSchema(emits)) complain('"emits" must be a Standard Schema, such as z.string().');
  if (!isOptions(deps)) complain('"deps" must be an object, such as { llm }.');
  if (kind === 'workflow' && definition === given && !isSchema(input))
    complain('"input" must be a Standard Schema, such as z.object({ … }).');
  return {
    version: isCount(version) ? version : 1,
    channels: kind === 'graph' && definition === given ? readChannels(state, complain) : new Map(),
    asks: readAsks(asks, complain),
    receives: readReceives(receives, complain),
    emits: isSchema(emits) ? emits : undefined,
    input: kind === 'workflow' && isSchema(input) ? input : undefined,
    deps: isOptions(deps) ? deps : {},
    ...readOutput(kind, definition['output'], complain),
    maxSupersteps: isLimit(maxSupersteps) ? maxSupersteps : undefined,
    // Migrations cannot be checked against an invalid version.
    migrations: isCount(version) ? readMigrations(migrate, version, complain) : new Map(),
  };
}

/** What it results in: a function of a graph's state, a schema of what a workflow returns. */
function readOutput(
  kind: GraphKind,
  output: unknown,
  complain: Complain,
): Pick<ReadDefinition, 'output' | 'outputSchema'> {
  const isValid = kind === 'graph' ? typeof output === 'function' : isSchema(output);
  if (output !== undefined && !isValid) {
    const rule = kind === 'graph' ? 'a function of the state' : 'a Standard Schema, such as z.string()';
    complain(`"output" must be ${rule}.`);
  }
  return {
    output: kind === 'graph' && isValid ? (output as ReadDefinition['output']) : undefined,
    outputSchema: kind === 'workflow' && isSchema(output) ? output : undefined,
  };
}

function readChannels(state: unknown, complain: Complain): ChannelSet {
  if (!isOptions(state)) {
    complain('"state" must be an object of channels, such as { topic: z.string(), log: list() }.');
    return new Map();
  }
  const problems = channelProblems(state as Channels);
  for (const { message } of problems) complain(message);
  return problems.length === 0 ? channelSet(state as Channels) : new Map();
}

function readAsks(asks: unknown, complain: Complain): ReadonlyMap<string, CompiledAsk> {
  const read = new Map<string, CompiledAsk>();
  for (const [name, ask] of entries(asks, 'asks', complain)) {
    complainOfName('question', name, complain);
    const question = readAsk(ask);
    if (question !== undefined) read.set(name, question);
    else complain(`Question ${quoted(name)} is invalid: ${askRule}.`);
  }
  return read;
}

function readReceives(receives: unknown, complain: Complain): ReadonlyMap<string, StandardSchemaV1> {
  const read = new Map<string, StandardSchemaV1>();
  for (const [name, schema] of entries(receives, 'receives', complain)) {
    complainOfName('message', name, complain);
    if (isSchema(schema)) read.set(name, schema);
    else if (isOptions(schema) && 'request' in schema && 'reply' in schema)
      complain(
        `Message ${quoted(name)} is a request with a reply, which is planned but not available yet. Pass one schema.`,
      );
    else complain(`Message ${quoted(name)} has no schema. Pass a Standard Schema, such as z.object({ … }).`);
  }
  return read;
}

function entries(value: unknown, option: string, complain: Complain): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  if (isOptions(value)) return Object.entries(value);
  complain(`"${option}" must be an object with one key per name.`);
  return [];
}
