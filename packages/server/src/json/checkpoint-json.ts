import type { CheckpointHead } from 'holdfast';
import { runOf } from '../caller/scope.ts';
import type { CheckpointJson } from '../schema/types.ts';
import type { Redactor } from './redact.ts';

/** What the record of a checkpoint says, by seq. */
export type Marks = ReadonlyMap<
  number,
  { readonly kind: string; readonly changed: readonly string[]; readonly bytes: number }
>;

interface Beside {
  /** The runs that the caller may see. */
  readonly seen: ReadonlySet<string>;
  readonly mark: ReturnType<Marks['get']>;
  /** The nodes that the checkpoint before it said would run next. */
  readonly ran: readonly string[];
}

/** A checkpoint as JSON. */
export function checkpointJson(
  { redactor }: { readonly redactor: Redactor },
  head: CheckpointHead,
  { seen, mark, ran }: Beside,
): CheckpointJson {
  const { parentId, turn } = head;
  const isSeen = parentId !== null && seen.has(runOf(parentId));
  // The label that a fork has by itself names the run that it was forked from.
  const label = isSeen || !head.label.startsWith('fork-of:') ? head.label : '';
  return {
    id: head.id,
    runId: head.runId,
    seq: head.seq,
    kind: mark?.kind ?? null,
    nodes: mark?.kind === 'superstep' ? ran : [],
    changed: mark?.changed ?? [],
    bytes: mark?.bytes ?? 0,
    superstep: head.superstep,
    ...(turn !== undefined && { turn }),
    parentId: isSeen ? parentId : null,
    label: redactor.text(['label'], label),
    next: head.next,
    status: head.status,
    at: head.at.toISOString(),
  };
}
