import type { CrashChoice } from './crash-choice.ts';
import type { SimulatedFile } from './simulated-file.ts';

/** What a name in a directory stands for. */
export type Node = SimulatedFile | SimulatedDirectory;

/** A change of names: undone by a power cut until the directory is synced. */
export interface Change {
  readonly type: 'link' | 'unlink' | 'move';
  readonly name: string;
  /** Where a move goes to. */
  readonly to?: string | undefined;
  readonly node?: Node | undefined;
  /** A change of another directory without which this one would lose a file that was only moved. */
  readonly needs?: { readonly directory: SimulatedDirectory; readonly change: Change } | undefined;
}

/**
 * The names in a directory twice: as everybody sees them, and as they are on the disk, with the changes in between.
 *
 * A move within a directory happens whole or not at all. Of the others any subset may survive, except that a change is
 * lost with an earlier one of the same name, and that a file moved between directories is always in one of them.
 */
export class SimulatedDirectory {
  readonly #live: Map<string, Node>;
  readonly #disk: Map<string, Node>;
  #changes: Change[] = [];

  constructor(entries: ReadonlyMap<string, Node> = new Map()) {
    this.#live = new Map(entries);
    this.#disk = new Map(entries);
  }

  get names(): readonly string[] {
    return [...this.#live.keys()];
  }

  /** What is seen here, and what a power cut may bring back. */
  get nodes(): ReadonlySet<Node> {
    return new Set([
      ...this.#live.values(),
      ...this.#disk.values(),
      ...this.#changes.flatMap(({ node }) => node ?? []),
    ]);
  }

  get isDirty(): boolean {
    return this.#changes.length > 0;
  }

  get(name: string): Node | undefined {
    return this.#live.get(name);
  }

  link(name: string, node: Node): void {
    this.#change({ type: 'link', name, node });
  }

  unlink(name: string): void {
    this.#change({ type: 'unlink', name });
  }

  /** Moves a name, here or into another directory, over whatever has it there. */
  move(name: string, target: { readonly directory: SimulatedDirectory; readonly name: string }): void {
    const node = this.#live.get(name) as Node;
    if (target.directory === this) {
      this.#change({ type: 'move', name, to: target.name, node });
      return;
    }
    const link = target.directory.#change({ type: 'link', name: target.name, node });
    this.#change({ type: 'unlink', name, needs: { directory: target.directory, change: link } });
  }

  sync(): void {
    for (const change of this.#changes) this.#settle(change);
    this.#changes = [];
  }

  /**
   * A sync that fails: some changes reach the disk, and the others are as much in doubt as before. Unlike the data of a
   * file they are not forgotten: file systems keep names in a journal, and write nothing more when that fails.
   */
  failSync(choice: CrashChoice): void {
    const done = new Set(kept(this.#changes, choice));
    for (const change of done) this.#settle(change);
    this.#changes = this.#changes.filter((change) => !done.has(change));
  }

  /** Adds to `survivors` the changes that survive a power cut, and those of other directories that they need. */
  choose(choice: CrashChoice, survivors: Set<Change>): void {
    for (const change of kept(this.#changes, choice)) {
      survivors.add(change);
      if (change.needs !== undefined) survivors.add(change.needs.change);
    }
  }

  /** What the directory holds after a power cut that these changes survive. */
  afterCrash(survivors: ReadonlySet<Change>): ReadonlyMap<string, Node> {
    const entries = new Map(this.#disk);
    for (const change of this.#changes) if (survivors.has(change)) apply(entries, change);
    return entries;
  }

  #change(change: Change): Change {
    apply(this.#live, change);
    this.#changes.push(change);
    return change;
  }

  #settle(change: Change): void {
    apply(this.#disk, change);
    const { needs } = change;
    if (needs === undefined || !needs.directory.#changes.includes(needs.change)) return;
    needs.directory.#changes = needs.directory.#changes.filter((each) => each !== needs.change);
    apply(needs.directory.#disk, needs.change);
  }
}

function apply(entries: Map<string, Node>, { type, name, to, node }: Change): void {
  if (type !== 'link') entries.delete(name);
  if (type === 'link') entries.set(name, node as Node);
  if (type === 'move') entries.set(to as string, node as Node);
}

/** What survives of the changes: those chosen, but none whose name an earlier one had that does not. */
function kept(changes: readonly Change[], choice: CrashChoice): readonly Change[] {
  const chosen = choice.entries(changes.length);
  const lost = new Set<string>();
  return changes.filter((change, at) => {
    const names = change.to === undefined ? [change.name] : [change.name, change.to];
    const survives = chosen[at] === true && !names.some((name) => lost.has(name));
    if (!survives) for (const name of names) lost.add(name);
    return survives;
  });
}
