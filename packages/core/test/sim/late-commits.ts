import { network, type World } from './world.ts';

/** Commits that are still on their way to the store when their writer has been told that they failed. */
export class LateCommits {
  readonly #world: World;
  readonly #pending = new Set<() => Promise<void>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Arrives at some later time: while the writer asks what became of it, or long after that. */
  add(commit: () => Promise<unknown>): void {
    const world = this.#world;
    const arrive = async (): Promise<void> => {
      if (this.#pending.delete(arrive)) await commit();
    };
    this.#pending.add(arrive);
    world.after(network, world.random() * world.pick([8, 60, 600, 4_000]), () => void arrive());
  }

  /** Lets everything arrive that is still on its way. */
  async settle(): Promise<void> {
    for (const arrive of this.#pending) await arrive();
  }
}
