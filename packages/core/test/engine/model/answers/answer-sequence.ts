import assert from 'node:assert/strict';
import { type AnyGraph, type Engine, type ErrorCode, type Graph, HoldfastError, type Run, type Shape } from 'holdfast';
import { all, type Place } from '../../every-place.ts';
import { judgingAt, part, questionName, whole } from './judging.ts';
import { type AnswerValue, type Given, ReferenceAnswers } from './reference-answers.ts';

/** What a sequence can do; the numbers choose among what is there. */
export const answerOperations = [
  'by id',
  'by id',
  'by name',
  'by name',
  'stray',
  'execute',
  'deploy',
  'check',
  'finish',
] as const;

/** One operation and the numbers that it chooses by. */
export type AnswerOperation = readonly [what: (typeof answerOperations)[number], which: number, how: number];

const values: readonly AnswerValue[] = [true, false, true, false, 'maybe'];
const people = ['ada', 'bob', 'eve'];
const strayNames = ['other', 'nowhere/approve', 'rests/approve', 'both/other'];

/** Answers, executions, a deploy and checks, done to engines and to the model alike. Only one engine is open at a time. */
export class AnswerSequence {
  readonly #place: Place;
  readonly #model = new ReferenceAnswers();
  /** What the engines have warned of. */
  readonly #warnings: () => readonly string[];
  #childId = '';
  #isFinished = false;

  private constructor(place: Place, warnings: () => readonly string[]) {
    this.#place = place;
    this.#warnings = warnings;
  }

  /** Does them all, answers what is left, and compares everything. */
  static async play(place: Place, todo: readonly AnswerOperation[], warnings: () => readonly string[]): Promise<void> {
    const sequence = new AnswerSequence(place, warnings);
    await sequence.#start();
    for (const operation of todo) await sequence.#do(operation);
    await sequence.#end();
  }

  async #start(): Promise<void> {
    await this.#with({ graphs: [] }, async (engine) => {
      await (await engine.start(judgingAt[1] as Graph<Shape>, {}, { id: 'r' })).outcome();
      await (await engine.start(whole as Graph<Shape>, {}, { id: 'w' })).outcome();
      const asks = await all(engine.asks());
      for (const { runId, id } of asks) if (runId === 'r') this.#model.asked(id);
      this.#childId = asks.find(({ runId }) => runId !== 'r')?.runId ?? '';
    });
  }

  async #do([what, which, how]: AnswerOperation): Promise<void> {
    const { questions, version, at } = this.#model;
    const given = this.#given(which, how);
    switch (what) {
      case 'by id': {
        const ids = [...questions.map(({ id }) => id), 'unknown'];
        return this.#answer({ ...given, id: ids[which % ids.length] });
      }
      case 'by name':
        await this.#answer(given);
        // Without the code nobody knows the new name of a question before the run is migrated.
        return !given.hasCode && given.name === 'consent' && at === 1 ? this.#execute() : undefined;
      case 'stray':
        return this.#answer({ ...given, isOld: false, name: strayNames[which % strayNames.length] as string });
      case 'execute':
        return this.#execute();
      case 'deploy':
        // In the middle of a super-step the old version has to finish it.
        if (version === 1 && !this.#isHalfDone) this.#model.version = 2;
        return;
      case 'check':
        return this.#check(how);
      case 'finish':
        return this.#finish();
    }
  }

  #given(which: number, how: number): Given {
    const { version, at, open } = this.#model;
    const hasCode = how % 2 === 0;
    // Code that is older than the run knows names, and judges nothing.
    const isOld = version === 2 && at === 2 && how % 4 === 1;
    // The new name of a question that is not migrated yet: kept until it is, for the only one that is open.
    const isClear = hasCode || at === 2 || (version === 2 && open.length === 1 && !this.#model.isDue);
    const name = which % 3 === 0 && isClear ? 'consent' : 'approve';
    const value = values[which % values.length] as AnswerValue;
    return { hasCode, isOld, name, id: undefined, value, by: people[how % people.length] as string };
  }

  /** One of the two tasks has gone on. */
  get #isHalfDone(): boolean {
    const { questions, open, isDue } = this.#model;
    return isDue || (questions.length === 2 && open.length === 1);
  }

  async #answer(given: Given): Promise<void> {
    const { hasCode, isOld, name, value, id, by } = given;
    const { version } = this.#model;
    const expected = this.#model.answer(given);
    const found = await this.#with({ executes: false }, async (engine) => {
      const code = isOld ? judgingAt[1] : hasCode ? judgingAt[version] : undefined;
      const run = code === undefined ? await engine.get('r') : await engine.get(code as never, 'r');
      return refusalOf(() => (run as Run).answer(name, value, { by, ...(id !== undefined && { id }) }));
    });
    assert.equal(found, expected, `${JSON.stringify(given)} at version ${version}`);
  }

  async #execute(): Promise<void> {
    const model = this.#model;
    model.execute();
    await this.#with({ graphs: [judgingAt[model.version]] }, async (engine) => {
      await engine.recover();
      const run = await engine.get('r');
      await run.outcome();
      await this.#compare(engine, run);
    });
  }

  async #compare(engine: Engine, run: Run): Promise<void> {
    const model = this.#model;
    const asked = (await all(engine.asks())).filter(({ runId }) => runId === 'r').map(({ id }) => id);
    const isNext = model.questions.length === 2 && model.open.length === 0;
    if (isNext) for (const id of asked) model.asked(id);
    assert.deepEqual(
      asked,
      model.open.map(({ id }) => id),
    );
    const events = await all(run.events({ until: 'idle' }));
    const refused = events.flatMap((event) => (event.type === 'refused' ? [`${event.wait} ${event.error.code}`] : []));
    assert.deepEqual(refused.toSorted(), model.refused.toSorted());
  }

  /** A build may lack any graph: whoever asks is told of every run that it strands. */
  async #check(how: number): Promise<void> {
    const graphs = [judgingAt[this.#model.version], whole, part].filter((_, at) => (how >> at) % 2 === 0);
    const names = graphs.map(({ name }) => name);
    const runs = [
      { id: 'r', graph: 'judging' },
      ...(this.#isFinished
        ? []
        : [
            { id: 'w', graph: 'whole' },
            { id: this.#childId, graph: 'part' },
          ]),
    ];
    const stranded = runs.filter((run) => !names.includes(run.graph));
    const before = this.#warnings().length;
    await this.#with({ graphs: graphs.filter(({ name }) => name !== 'judging') }, async (engine) => {
      const found = await engine.check(graphs);
      assert.deepEqual(found.map(({ runId }) => runId).toSorted(), stranded.map(({ id }) => id).toSorted());
      // It executes nothing of the run that is judged, and says so.
      await engine.recover();
    });
    const said = this.#warnings().slice(before);
    for (const name of new Set(['judging', ...stranded.map((run) => run.graph)])) {
      assert.ok(
        said.some((each) => each.includes(`of graph "${name}"`)),
        `nothing was said of ${name}`,
      );
    }
  }

  async #finish(): Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    await this.#with({ graphs: [whole, part] }, async (engine) => {
      await (await engine.get(this.#childId)).answer('ok', true);
      assert.equal(await (await engine.get('w')).result(), true);
    });
  }

  async #end(): Promise<void> {
    await this.#execute();
    const model = this.#model;
    const name = questionName(model.version);
    while (model.open.length > 0) {
      for (const { id } of model.open)
        await this.#answer({ hasCode: true, isOld: false, name, id, value: true, by: 'eve' });
      await this.#execute();
    }
    // Whoever repeats an answer is told the same, whatever the question is called by now.
    for (const { id, answer } of model.questions) {
      for (const hasCode of [true, false]) {
        for (const value of [true, false])
          await this.#answer({ hasCode, isOld: false, name: 'approve', id, value, by: 'bob' });
      }
      assert.ok(answer);
    }
    await this.#with({ graphs: [judgingAt[model.version]] }, async (engine) => {
      const run = await engine.get('r');
      await run.send('go', 1);
      const said = model.questions.map(({ answer }, at) => `${['0', '1', 'again'][at]} ${answer?.value}`);
      assert.deepEqual(await run.result(), { log: [...said, '1'] });
    });
  }

  async #with<T>(
    options: { readonly graphs?: readonly AnyGraph[]; readonly executes?: boolean },
    use: (engine: Engine) => Promise<T>,
  ): Promise<T> {
    const engine = await this.#place.open(options);
    try {
      return await use(engine);
    } finally {
      await engine.close();
    }
  }
}

async function refusalOf(act: () => Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    return error.code;
  }
}
