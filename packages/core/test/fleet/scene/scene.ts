import type { Verdict } from '../judge/judge.ts';

/** How much of a scene is played. */
interface SceneOptions {
  readonly rounds: number;
  readonly processes: number;
  /** In each process. */
  readonly workers: number;
  readonly random: () => number;
  readonly mutant?: string | undefined;
  readonly say: (line: string) => void;
}

/** What came of a scene. */
export interface SceneResult extends Verdict {
  readonly rounds: number;
  /** What else was measured. */
  readonly note?: string | undefined;
}

/** Something that is done to a fleet, and the look afterwards. */
export type Scene = (options: SceneOptions) => Promise<SceneResult>;
