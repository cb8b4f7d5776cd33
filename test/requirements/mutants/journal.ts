import type { NewRecord } from 'holdfast';
import { change, mutant } from '../mutant.ts';
import { type Checkpoint, type Journals, type RecordSource, seams } from '../seams.ts';
import { brokenCheckpoints, brokenJournal, orElse } from './wrap.ts';

const all = Number.MAX_SAFE_INTEGER;

export const journal = [
  brokenJournal('tail counts before it filters', (journal) => ({
    tail: async (run, n, match) => {
      const matching = new Set((await journal.tail(run, all, match)).map(({ id }) => id));
      return (await journal.tail(run, n)).filter(({ id }) => matching.has(id));
    },
  })),
  brokenJournal('tail gives the newest first', (journal) => ({
    tail: async (run, n, match) => (await journal.tail(run, n, match)).toReversed(),
  })),
  brokenJournal('tail(0) gives everything', (journal) => ({
    tail: (run, n, match) => journal.tail(run, n === 0 ? all : n, match),
  })),
  brokenJournal('one agent reads the records of another', (journal, { store }) => {
    const oldest = async (run: string): Promise<string> => {
      const [header] = await store.runs({ order: 'oldest', limit: 1 });
      return header?.runId ?? run;
    };
    return {
      tail: async (run, n, match) => journal.tail(await oldest(run), n, match),
      async *read(run, options) {
        yield* journal.read(await oldest(run), options);
      },
    };
  }),
  mutant(
    'an empty label is taken',
    change(seams.checkNewRecord, (check) => (value) => {
      const { labels } = value as { readonly labels?: readonly string[] };
      return check(
        labels === undefined ? value : { ...(value as object), labels: labels.filter((label) => label !== '') },
      );
    }),
  ),
  mutant(
    'an empty custom source is taken',
    change(
      seams.isRecordSource,
      (isSource) =>
        (value): value is RecordSource =>
          value === 'custom:' || isSource(value),
    ),
  ),
  brokenCheckpoints("a user's record that is labelled checkpoint is taken for one", (checkpoints, { store }) => ({
    latest: async (runId) => {
      const [newest] = await store.records({ runId, order: 'newest', limit: 1 });
      return newest?.kind === 'note' && newest.labels.includes('checkpoint')
        ? (newest.payload as Checkpoint)
        : checkpoints.latest(runId);
    },
  })),
  brokenJournal('a record with the same id and other content is swallowed', (journal) => ({
    append: ((run: string, record: NewRecord) =>
      orElse(
        () => journal.append(run, record),
        'HOLDFAST_ID_TAKEN',
        ({ cursor }) => cursor as string,
      )) as Journals['append'],
  })),
  brokenJournal('read ignores the cursor', (journal) => ({
    read: (run, options) => journal.read(run, { ...options, after: undefined }),
  })),
];
