import type { StandardSchemaV1 } from '@standard-schema/spec';
import { checkBySchema } from '../../channel/standard-schema.ts';
import { validated } from '../../channel/validated.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { RunJournal } from '../../journal/run-journal.ts';
import type { Decision } from '../../journal/run-writer.ts';
import { contentOf } from '../../record/content-of.ts';
import type { NewEntry } from '../../record/record.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import { loadRun } from '../../runner/load-run.ts';
import { formerMessages } from '../../runner/plan/migrate-run.ts';
import { badValue, unknownName } from '../../runner/task/call/call-errors.ts';
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
  checkText('name', name);
  const schema = graph && messageSchema(graph, name);
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
    const { status } = header;
    if (status === 'completed' || status === 'cancelled') throw ended(runId, status);
    const load = async (): Promise<RunState> => (await loadRun(parts.store, header)).state;
    await parts.queueRoom.check(parts, header, load);
    const isAwaited = await parts.messageNames.isAwaited({ header, name, graph, load });
    return {
      entries: [entry],
      header: isAwaited ? dueUnlessSuspended(header, at) : {},
      answer: () => undefined,
    };
  };
  return writeByHeader(parts, runId, decide, { id: recordId });
}

/** The schema of a message by its present name, or by one that it had before a migration. @throws HOLDFAST_UNKNOWN_MESSAGE */
function messageSchema(graph: CompiledGraph, name: string): StandardSchemaV1 {
  const { receives } = graph;
  const schema = receives.get(name) ?? receives.get(formerMessages(graph, new Map()).get(name) ?? '');
  if (schema === undefined) throw unknownName(graph, 'message', name, [...receives.keys()]);
  return schema;
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
