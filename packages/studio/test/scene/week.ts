// A store as it is after a busy week: every status, forks, a worker that was killed. Told with clocks that are behind, so
// that what happened two days ago happened two days ago.
import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, openEngine, type Run } from 'holdfast';
import { doomedWorker, kill } from '../rig/doomed-worker.ts';
import { pastClock } from '../rig/past-clock.ts';
import { graphsAt, ingest, onboarding, triage } from './graphs.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const callMs = 400;
const paced = graphsAt({ callMs });
const [agent] = paced;

/** Whoever is there now: the calls that the pictures show as running never end. */
export const graphsNow = graphsAt({ callMs, hangs: ({ name, order }) => name === 'sanctions' && order === 'ord_81' });

/** Fills a store; what it ends with goes on in `now`, an engine with `graphsNow`. */
export class Week {
  readonly #store: string;

  constructor(store: string) {
    this.#store = store;
  }

  /** What happened before today. */
  async past(): Promise<void> {
    await this.#theKill();
    await this.#at(26 * hour, (engine) => strict(engine));
    await this.#at(6 * hour, (engine) => lastNight(engine));
    await this.#at(3 * hour, (engine) => asked(engine, 'ord_87', 8_990));
    await this.#at(2 * hour, (engine) => whatIf(engine));
    await this.#at(52 * minute, (engine) => morning(engine));
    await this.#at(6 * minute, (engine) => unlabelled(engine, ['triage-4468', 'triage-4471']));
    await this.#at(4 * minute, (engine) => asked(engine, 'ord_93', 31_000));
  }

  /** What happens now. */
  async now(engine: Engine): Promise<void> {
    for (const [id, chunks] of [
      ['ing-7c3f', 2_048],
      ['ing-7c41', 1_204],
    ] as const)
      await engine.start(ingest, { chunks }, { id, tags: { tenant: 'acme' } });
    await engine.get(graphsNow[0], 'ord_81').answer('approval', { ok: true, cents: 12_000 }, { by: 'ada' });
    const pay = await childOf(engine, 'ord_81');
    for await (const { type } of pay.events()) if (type === 'step-error' || type === 'run-end') break;
  }

  /** Does something as an engine that is so many milliseconds behind. */
  async #at(agoMs: number, act: (engine: Engine) => Promise<void>): Promise<void> {
    await using engine = await openEngine(this.#store as 'memory:', {
      graphs: paced,
      workerId: 'mbp:41388',
      clock: pastClock(agoMs),
    });
    await act(engine);
  }

  /** Two days ago: a worker is killed, another one goes on, and the run asks. */
  async #theKill(): Promise<void> {
    const agoMs = 2 * day + 4 * hour;
    const given = { store: this.#store, callMs, agoMs };
    const worker = await doomedWorker({ ...given, id: 'ord_81', cents: 12_000, workerId: 'mbp:41207' });
    await pause(2.4 * callMs);
    await kill(worker);
    await this.#at(agoMs, async (engine) => {
      await pause(1_500);
      await engine.recover();
      await engine.get(agent, 'ord_81').outcome();
    });
    const paying = await doomedWorker({ ...given, id: 'pay-551c', cents: 1_240, fatal: 'transfer', agoMs: day });
    await kill(paying);
    await this.#at(day, async (engine) => {
      await engine.recover();
      await (await childOf(engine, 'pay-551c')).outcome();
    });
  }
}

/** The run of the graph inside, once there is one. */
export async function childOf(engine: Engine, parentId: string): Promise<Run> {
  for (;;) {
    for await (const { id } of engine.runs({ parentId })) return engine.get(id);
    await pause(20);
  }
}

/** A run that asks for an approval. */
async function asked(engine: Engine, id: string, cents: number): Promise<void> {
  await engine.start(agent, { order: id, cents }, { id, tags: { region: 'eu' } }).outcome();
}

/** The checkpoint after a node of a run. */
async function after(engine: Engine, id: string, next: string): Promise<string> {
  for await (const checkpoint of engine.get(id).history()) if (checkpoint.next.includes(next)) return checkpoint.id;
  throw new Error(`No checkpoint of ${id} comes before ${next}.`);
}

async function strict(engine: Engine): Promise<void> {
  const at = await after(engine, 'ord_81', 'lookup');
  const fork = engine.get(agent, 'ord_81').fork({ at, id: 'strict', set: { order: 'ord_strict' }, resume: true });
  await fork.outcome();
}

async function whatIf(engine: Engine): Promise<void> {
  const at = await after(engine, 'ord_81', 'approve');
  const set = { cents: 5_000 };
  await engine
    .get(agent, 'ord_81')
    .fork({ at, id: 'what-if-50', set, label: 'below the limit', resume: true })
    .result();
}

async function lastNight(engine: Engine): Promise<void> {
  await engine.start(onboarding, { email: 'it@globex.example', plan: 'team' }, { id: 'onb_k7d1' }).outcome();
  const declined = engine.start(agent, { order: 'ord_90', cents: 7_500 }, { id: 'ord_90', tags: { region: 'us' } });
  await declined.outcome();
  await declined.answer('approval', { ok: false }, { by: 'ada' });
  await declined.result();
  await engine.start(ingest, { chunks: 88 }, { id: 'ing-7b8c', tags: { tenant: 'globex' } }).result();
  const wrong = engine.start(ingest, { chunks: 4_000 }, { id: 'ing-7b90', tags: { tenant: 'globex' } });
  await wrong;
  await pause(callMs);
  await wrong.cancel('wrong bucket', { by: 'lin' });
  await engine.submit(ingest, { chunks: 900 }, { id: 'ing-7b8e', tags: { tenant: 'acme' } });
}

async function morning(engine: Engine): Promise<void> {
  const sleeping = engine.start(onboarding, { email: 'kim@example.com', plan: 'vip' }, { id: 'onb_k7ez' });
  await sleeping;
  await sleeping.fork({ id: 'onb_k7f2', label: 'wait for the new region', tags: { plan: 'vip' } });
  await unlabelled(engine, ['triage-4459']);
  await engine.start(agent, { order: 'ord_92', cents: 1_850 }, { id: 'ord_92', tags: { region: 'eu' } }).result();
  await engine.start(triage, { text: 'It crashes.' }, { id: 'triage-4460', tags: { region: 'us' } }).result();
}

async function unlabelled(engine: Engine, ids: readonly string[]): Promise<void> {
  for (const id of ids) await engine.start(triage, { text: '?' }, { id, tags: { region: 'us' } }).outcome();
}
