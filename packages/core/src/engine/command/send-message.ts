import { checkBySchema } from '../../channel/standard-schema.ts';
import { validated } from '../../channel/validated.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { RunJournal } from '../../journal/run-journal.ts';
import type { Decision } from '../../journal/run-writer.ts';
import { contentOf } from '../../record/content-of.ts';
import type { NewEntry } from '../../record/record.ts';
import { loadRun } from '../../runner/load-run.ts';
import { badValue, unknownName } from '../../runner/task/call-errors.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkBy } from '../../value/check/check-by.ts';
import { checkText } from '../../value/check/check-text.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { checkRecordId } from '../../value/id.ts';
import { dueUnlessSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { deadlineOf } from '../parts.ts';
import { nothing, writeByHeader } from './external-write.ts';
import { ended } from './start-run.ts';

/** A message as it is sent. */
export interface GivenMessage {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
  readonly by?: string | undefined;
}

/** Journals a message. If the code is available, the message is validated first. A suspended run stays suspended. */
export async function sendMessage(
  parts: EngineParts,
  runId: string,
  { name, value: given, id, by: givenBy }: GivenMessage,
  graph: CompiledGraph | undefined,
): Promise<RunHeader> {
  const schema = graph?.receives.get(checkText('name', name));
  if (graph !== undefined && schema === undefined)
    throw unknownName(graph, 'message', name, [...graph.receives.keys()]);
  const by = checkBy(givenBy);
  const what = `The message "${name}"`;
  const value =
    schema === undefined
      ? frozenCopy(given)
      : await validated(
          deadlineOf(parts),
          what,
          checkBySchema(schema, given, (refusal) => badValue(what, name, refusal)),
        );
  // The store keeps the id of a message, so a repeat is found after the message was pruned.
  const recordId = id === undefined ? undefined : checkRecordId(`message:${id}`);
  const decide = async ({ header, known }: RunJournal): Promise<Decision<void>> => {
    const at = parts.env.clock.now();
    const payload = { name, value, ...by, ...(schema !== undefined && { checked: true }) };
    const entry: NewEntry = { kind: 'message', at, payload, ...(recordId !== undefined && { id: recordId }) };
    if (known !== undefined) {
      if (known.value.content === contentOf(entry)) return nothing;
      throw otherMessage(runId, id);
    }
    const { status, waits } = header;
    if (status === 'completed' || status === 'cancelled') throw ended(runId, status);
    await parts.queueRoom.check(parts, header, async () => (await loadRun(parts.store, header)).state);
    const isAwaited = waits.some((wait) => wait.kind === 'receive' && wait.name === name);
    return {
      entries: [entry],
      header: isAwaited ? dueUnlessSuspended(header, at) : {},
      answer: () => undefined,
    };
  };
  return writeByHeader(parts, runId, decide, { id: recordId });
}

function otherMessage(runId: string, id: string | undefined): Error {
  return holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Run "${runId}" already has a different message with id "${id}". Use another id.`,
    {
      details: { runId, id },
    },
  );
}
