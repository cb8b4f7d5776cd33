import { performance } from 'node:perf_hooks';
import { seededRandom } from '../../src/testing/seeded-random.ts';
import type { Job } from './jobs.ts';
import type { SceneResult } from './scene/scene.ts';

/** One scene that was played, on the product or on a mutant. */
export interface Played extends SceneResult {
  readonly name: string;
  readonly mutant: string | undefined;
  readonly tookMs: number;
}

interface PlayOptions {
  readonly rounds?: number | undefined;
  readonly processes: number;
  readonly workers: number;
  readonly seed: number;
  readonly mutant?: string | undefined;
  readonly say: (line: string) => void;
}

/** Plays one scene. */
export async function play(name: string, job: Job, { rounds, seed, ...options }: PlayOptions): Promise<Played> {
  const { mutant } = options;
  const startedMs = performance.now();
  const count = rounds ?? (mutant === undefined ? job.rounds : (job.mutants[mutant] ?? 1));
  const result = await job.scene({ ...options, rounds: count, random: seededRandom(seed) });
  return { ...result, name, mutant, tookMs: performance.now() - startedMs };
}

/** What is wrong with the outcome: a violation, or a mutant that was not found. */
export function problemOf({ mutant, violations }: Played): string | undefined {
  if (mutant !== undefined) return violations.length > 0 ? undefined : 'the mutant was not found';
  return violations.length === 0 ? undefined : violations.slice(0, 20).join('\n  ');
}
