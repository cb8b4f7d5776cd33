import type { Env } from '../env/env.ts';
import { nodeEnv } from '../env/node-env.ts';
import { yieldingClock } from '../env/yielding-clock.ts';
import { compiledOf } from '../graph/compile/compiled.ts';
import type { Store } from '../store/store.ts';
import { durationMs } from '../time/duration.ts';
import { boundsOf } from '../value/bounds.ts';
import { checkOptions, invalidOption, type KnownOptions } from '../value/check/check-options.ts';
import { sortableIds } from '../value/sortable-id.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { incarnationOf } from './lease/incarnation.ts';
import { observedEnv } from './observed-env.ts';
import { OpenEngine } from './open-engine.ts';
import { OpenParts } from './open-parts.ts';
import { openStoreAt } from './open-store-at.ts';
import { Registry } from './registry.ts';
import { checkRetention } from './retention/retention-options.ts';
import type { StoreUrl } from './store-at.ts';

const defaultLease = '5s';

const known: KnownOptions<EngineOptions> = {
  graphs: true,
  executes: true,
  lease: true,
  workerId: true,
  retention: true,
  encryption: true,
  bounds: true,
  observe: true,
  log: true,
  clock: true,
};

/**
 * Opens a store by its URL, or a custom store.
 *
 * @example
 * ```ts
 * const engine = await openEngine('sqlite:./runs.db', { graphs: [refunds] });
 * await engine.recover();
 * await engine.close();
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export async function openEngine(store: StoreUrl | Store, options: EngineOptions = {}): Promise<Engine> {
  const { clock } = checkOptions('openEngine()', options, known);
  return openEngineIn(clock === undefined ? nodeEnv : { ...nodeEnv, clock: yieldingClock(clock) }, store, options);
}

/** Opens a store in a real or simulated environment. */
export async function openEngineIn(given: Env, place: StoreUrl | Store, options: EngineOptions = {}): Promise<Engine> {
  const env = observedEnv(given, options);
  const { graphs = [], lease = defaultLease, encryption, workerId, retention } = options;
  if (retention !== undefined) checkRetention(retention);
  const bounds = boundsOf(options.bounds);
  const leaseMs = Math.round(durationMs(lease, 'lease'));
  if (leaseMs < 1) throw invalidOption('lease', 'lease must be at least one millisecond.');
  const registry = new Registry();
  for (const graph of graphs.map(compiledOf)) registry.add(graph);
  const newId = sortableIds({ now: () => env.clock.now(), random: env.random });
  const worker = incarnationOf(workerId ?? `w-${newId()}`, env.random);
  const store = await openStoreAt(place, env, { encryption, patienceMs: leaseMs, bounds });
  return new OpenEngine(new OpenParts({ ...options, env, store, registry, newId, worker, leaseMs }));
}
