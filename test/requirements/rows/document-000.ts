import type { Row } from '../mutant.ts';
import {
  checkpointOfAgent,
  corruptCheckpoint,
  firstLife,
  labelledRecord,
  latestByJournal,
  lifecycle,
  recoverHoweverOld,
  shutdown,
} from '../mutants/agent.ts';
import { journal } from '../mutants/journal.ts';

/** The rows of document 000. */
export const agentRows: readonly Row[] = [
  {
    document: '000',
    name: 'the checkpoint of an agent and its metadata',
    asked:
      '`StateCheckpoint { agent_id, agent_state, timestamp, app_state, metadata { version, in_flight_tasks, reason, custom } }`',
    here: '`openAgent(...).checkpoint()`, `.shutdown()`, `.recovered`; metadata defaults version 1, 0 in flight, no reason',
    better: 'in-flight work is kept by name, not only counted',
    tests: [
      'a checkpoint has the agent, its phase, the time, its state and the metadata',
      'metadata is version 1, nothing in flight and no reason unless told otherwise',
      'a task that saves a checkpoint when it begins is known by name after a crash',
      'shutdown: the drain timeout reports by name what remains, and the next life knows it',
    ],
    mutants: checkpointOfAgent,
  },
  {
    document: '000',
    name: 'persist: a labelled record of the source system',
    asked:
      'persist: a record on the system channel, tagged `checkpoint`, with version, agent and state in its metadata',
    here: 'a journal record with those',
    tests: [
      "an agent's checkpoint is a record of the source system, labelled, with version, agent and phase in its meta",
      'a checkpoint is a record of the source system, labelled checkpoint, with its metadata',
    ],
    mutants: labelledRecord,
  },
  {
    document: '000',
    name: 'recover: however old, in constant time',
    asked: 'recover: look at the last 100 records, newest first',
    here: '`recovered` finds the newest checkpoint however old; a checkpoint followed by 1,000,000 other records is found in constant time',
    better: 'the original loses it after 100 records',
    note: '600 records here; a million: npm run bench -- recover.',
    tests: [
      'recover finds the newest checkpoint after 600 other records, without reading them',
      'the newest checkpoint is found however many records came after it',
    ],
    mutants: recoverHoweverOld,
  },
  {
    document: '000',
    name: 'a corrupt checkpoint never hides the others',
    asked: 'corrupted checkpoint is an error',
    here: 'falls back to the newest good one and says so',
    better: 'one bad record never hides the others',
    tests: ['a corrupt checkpoint falls back to the newest good one, and says so'],
    mutants: corruptCheckpoint,
  },
  {
    document: '000',
    name: 'no checkpoint is a first life',
    asked: 'no checkpoint is an error',
    here: 'first life: `recovered` is undefined',
    tests: ['no checkpoint is a first life, not an error'],
    mutants: firstLife,
  },
  {
    document: '000',
    name: 'the latest of several wins, by journal order',
    asked: 'latest of several wins',
    here: 'by journal order, whatever the clocks say',
    tests: ['the latest of several wins by journal order, whatever the clocks say'],
    mutants: latestByJournal,
  },
  {
    document: '000',
    name: 'the journal: sources, labels, tail, read',
    asked:
      'journal: channels input, output, tool, system, custom; tags; metadata; `tail(n)` oldest to newest; empty tag or label refused; `tail(0)` is empty',
    here: '`journal.append/tail/read`',
    better:
      "filters before counting; one agent never sees another's records; a user's own record labelled `checkpoint` never shadows a real one",
    tests: [
      'a record has a source, labels and metadata, and comes back as it was',
      'the sources are input, output, tool, system and custom ones with a name',
      'an empty label and an empty custom source are refused, and nothing is written',
      'tail(n) gives the last n, oldest to newest, and tail(0) none',
      'tail filters before it counts, however far back the matches are',
      'one agent never sees the records of another',
      'read goes from the beginning or a cursor on, by label, source or kind',
      "a user's own record labelled checkpoint never shadows a real one",
      'the same id and content again is the same record; other content is refused',
      'records appended at once all arrive, each once, without a gap',
      'records appended at once by two engines on one store all arrive',
      'a second engine on the store is refused and told who holds it',
    ],
    mutants: journal,
  },
  {
    document: '000',
    name: 'the lifecycle',
    asked:
      'lifecycle: init –boot→ ready –activate→ active –suspend→ suspended –resume→ active; ready, active, suspended –retire→ retiring –terminate→ terminated; any –abort→ terminated; all else refused',
    here: '`agent.transition`',
    better: 'a recovered agent re-enters the phase it was in',
    tests: [
      'lifecycle: %s takes what the table says and refuses all else, and nothing is written',
      'a recovered agent re-enters %s; a terminated one begins anew',
    ],
    mutants: lifecycle,
  },
  {
    document: '000',
    name: 'shutdown: running, draining, terminated',
    asked:
      'shutdown: running → draining → terminated; new work refused while draining; drain timeout reports what remains',
    here: '`agent.shutdown`, and `engine.work` on SIGTERM',
    tests: [
      'shutdown: running, draining, terminated; new work is refused while draining',
      'shutdown: the drain timeout reports by name what remains, and the next life knows it',
      'shutdown: engine.work drains when it is told to stop; what was in flight is kept, the rest continues later',
    ],
    mutants: shutdown,
  },
];
