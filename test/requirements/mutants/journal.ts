import { change, mutant } from '../mutant.ts';
import { type Checkpoint, type RecordChannel, seams } from '../seams.ts';
import { brokenCheckpoints, brokenJournal, orElse } from './wrap.ts';

const all = Number.MAX_SAFE_INTEGER;

export const journal = [
  brokenJournal('tail counts before it filters', ({ tail }) => ({
    tail: async (run, n, match) => {
      const matching = new Set((await tail(run, all, match)).map(({ id }) => id));
      return (await tail(run, n)).filter(({ id }) => matching.has(id));
    },
  })),
  brokenJournal('tail gives the newest first', ({ tail }) => ({
    tail: async (run, n, match) => (await tail(run, n, match)).toReversed(),
  })),
  brokenJournal('tail(0) gives everything', ({ tail }) => ({
    tail: (run, n, match) => tail(run, n === 0 ? all : n, match),
  })),
  brokenJournal('one agent reads the records of another', ({ tail, read }, { store }) => {
    const oldest = async (run: string): Promise<string> => {
      const [header] = await store.runs({ order: 'oldest', limit: 1 });
      return header?.run ?? run;
    };
    return {
      tail: async (run, n, match) => tail(await oldest(run), n, match),
      async *read(run, options) {
        yield* read(await oldest(run), options);
      },
    };
  }),
  mutant(
    'an empty tag is taken',
    change(seams.checkNewRecord, (check) => (value) => {
      const { tags } = value as { readonly tags?: readonly string[] };
      return check(tags === undefined ? value : { ...(value as object), tags: tags.filter((tag) => tag !== '') });
    }),
  ),
  mutant(
    'an empty label is taken',
    change(
      seams.isRecordChannel,
      (isChannel) =>
        (value): value is RecordChannel =>
          value === 'custom:' || isChannel(value),
    ),
  ),
  brokenCheckpoints("a user's record that is tagged checkpoint is taken for one", ({ latest }, { store }) => ({
    latest: async (run) => {
      const [newest] = await store.records({ run, order: 'newest', limit: 1 });
      return newest?.kind === 'note' && newest.tags.includes('checkpoint')
        ? (newest.payload as Checkpoint)
        : latest(run);
    },
  })),
  brokenJournal('a record with the same id and other content is swallowed', ({ append }) => ({
    append: (run, record) =>
      orElse(
        () => append(run, record),
        'HOLDFAST_ID_TAKEN',
        ({ cursor }) => cursor as string,
      ),
  })),
  brokenJournal('read ignores the cursor', ({ read }) => ({
    read: (run, options) => read(run, { ...options, after: undefined }),
  })),
];
