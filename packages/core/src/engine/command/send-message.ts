import { checkBySchema } from '../../channel/schema.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { findEntry } from '../../journal/read-entries.ts';
import type { Decision } from '../../journal/run-writer.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import { badValue, unknownName } from '../../runner/task/task-calls.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkText } from '../../value/check-text.ts';
import { sameValue } from '../../value/equal.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { checkRecordId } from '../../value/id.ts';
import { dueUnlessSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { nothing, writeByHeader } from './external-write.ts';
import { ended } from './start-run.ts';
import { validated } from './validated.ts';

/** A message as it is sent. */
export interface GivenMessage {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
}

/** Journals a message. If the code is available, the message is validated first. A suspended run stays suspended. */
export async function sendMessage(
  parts: EngineParts,
  runId: string,
  { name, value: given, id }: GivenMessage,
  graph: CompiledGraph | undefined,
): Promise<RunHeader> {
  const schema = graph?.receives.get(checkText('name', name));
  if (graph !== undefined && schema === undefined)
    throw unknownName(graph, 'message', name, [...graph.receives.keys()]);
  const what = `The message "${name}"`;
  const value =
    schema === undefined
      ? frozenCopy(given)
      : await validated(
          parts,
          what,
          checkBySchema(schema, given, (refusal) => badValue(what, name, refusal)),
        );
  // A message keeps its id in the journal, so a repeat is found however long ago the first was sent.
  const recordId = id === undefined ? undefined : checkRecordId(`message:${id}`);
  return writeByHeader(parts, runId, async ({ header, segments }) => {
    const known = recordId && (await findEntry(parts.store, segments, recordId));
    if (known) return sameMessage(runId, id, known.payload, { name, value });
    const { status, waits } = header;
    if (status === 'completed' || status === 'cancelled') throw ended(runId, status);
    await parts.queueRoom.check(parts, header, async () => (await loadRun(parts.store, header)).state);
    const at = parts.env.clock.now();
    const payload = { name, value, ...(schema !== undefined && { checked: true }) };
    const isAwaited = waits.some((wait) => wait.kind === 'receive' && wait.name === name);
    return {
      entries: [{ kind: 'message', at, payload, ...(recordId !== undefined && { id: recordId }) }],
      header: isAwaited ? dueUnlessSuspended(header, at) : {},
      answer: () => undefined,
    };
  });
}

function sameMessage(
  runId: string,
  id: string | undefined,
  known: unknown,
  sent: Pick<GivenMessage, 'name' | 'value'>,
): Decision<void> {
  const { name, value } = known as Pick<GivenMessage, 'name' | 'value'>;
  if (name === sent.name && sameValue(value, sent.value)) return nothing;
  throw holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Run "${runId}" already has a different message with id "${id}". Use another id.`,
    {
      details: { runId, id },
    },
  );
}
