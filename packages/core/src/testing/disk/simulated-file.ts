import type { CrashChoice } from './crash-choice.ts';

/** What a disk writes whole or not at all. */
const sectorBytes = 512;

const zeros: Uint8Array = new Uint8Array(sectorBytes);

/** Sectors are never changed, only replaced, so that files after a crash share them with the file before it. */
interface Content {
  readonly sectors: Uint8Array[];
  size: number;
}

/**
 * The content of a file twice: as every reader sees it, and as it is on the disk. Between them stand, for each sector,
 * the versions that may have reached the disk since it was last synced, and the lengths that the file has had.
 */
export class SimulatedFile {
  readonly #live: Content;
  #disk: Content;
  /** Oldest first. A sector that is not in here is on the disk, or was lost by a failed sync. */
  readonly #dirty = new Map<number, Uint8Array[]>();
  #sizes: number[] = [];

  private constructor(disk: Content) {
    this.#disk = disk;
    this.#live = { sectors: [...disk.sectors], size: disk.size };
  }

  /** A new file: nothing of it is on the disk. */
  static empty(): SimulatedFile {
    return new SimulatedFile({ sectors: [], size: 0 });
  }

  /** A file that is wholly on the disk. */
  static of(bytes: Uint8Array): SimulatedFile {
    const file = SimulatedFile.empty();
    file.write(bytes, 0);
    file.sync();
    return file;
  }

  get size(): number {
    return this.#live.size;
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0 || this.#sizes.length > 0;
  }

  read(position: number, length: number): Uint8Array {
    const end = Math.min(position + length, this.#live.size);
    const bytes = new Uint8Array(Math.max(0, end - position));
    for (let at = position; at < end; ) {
      const index = Math.floor(at / sectorBytes);
      const from = at - index * sectorBytes;
      const part = sectorOf(this.#live, index).subarray(from, Math.min(sectorBytes, from + end - at));
      bytes.set(part, at - position);
      at += part.length;
    }
    return bytes;
  }

  write(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      const index = Math.floor((position + done) / sectorBytes);
      const from = position + done - index * sectorBytes;
      const part = bytes.subarray(done, done + sectorBytes - from);
      const sector = Uint8Array.from(sectorOf(this.#live, index));
      sector.set(part, from);
      this.#replace(index, sector);
      done += part.length;
    }
    if (position + bytes.length > this.#live.size) this.#resize(position + bytes.length);
  }

  truncate(length: number): void {
    const last = Math.ceil(length / sectorBytes);
    if (length % sectorBytes !== 0 && length < this.#live.size) {
      const sector = Uint8Array.from(sectorOf(this.#live, last - 1));
      sector.fill(0, length % sectorBytes);
      this.#replace(last - 1, sector);
    }
    for (let index = last; index < this.#live.sectors.length; index += 1) this.#replace(index, zeros);
    this.#live.sectors.length = Math.min(this.#live.sectors.length, last);
    if (length !== this.#live.size) this.#resize(length);
  }

  /** Everything that is dirty goes to the disk. What an earlier failed sync has lost is not dirty, and stays lost. */
  sync(): void {
    for (const [index, versions] of this.#dirty) this.#disk.sectors[index] = versions.at(-1) as Uint8Array;
    if (this.#sizes.length > 0) this.#disk.size = this.#live.size;
    this.#clean();
  }

  /**
   * A sync that fails: some of what is dirty reaches the disk, and the rest is forgotten. Readers keep seeing it, and
   * the next sync succeeds without writing it.
   */
  failSync(choice: CrashChoice): void {
    this.#disk = this.#survivors(choice);
    this.#clean();
  }

  /** The file as it may be found after a power cut. */
  afterCrash(choice: CrashChoice): SimulatedFile {
    return new SimulatedFile(this.#survivors(choice));
  }

  #survivors(choice: CrashChoice): Content {
    const sectors = [...this.#disk.sectors];
    for (const [index, versions] of this.#dirty) {
      const kept = choice.version(versions.length);
      sectors[index] = kept === 0 ? sectorOf(this.#disk, index) : (versions[kept - 1] as Uint8Array);
    }
    const size = this.#sizes.length === 0 ? this.#disk.size : choice.size([this.#disk.size, ...this.#sizes]);
    return cut({ sectors, size });
  }

  #replace(index: number, sector: Uint8Array): void {
    this.#live.sectors[index] = sector;
    const versions = this.#dirty.get(index);
    if (versions === undefined) this.#dirty.set(index, [sector]);
    else versions.push(sector);
  }

  #resize(size: number): void {
    this.#live.size = size;
    this.#sizes.push(size);
  }

  #clean(): void {
    this.#dirty.clear();
    this.#sizes = [];
    cut(this.#disk);
  }
}

function sectorOf({ sectors }: Content, index: number): Uint8Array {
  return sectors[index] ?? zeros;
}

/** What lies past the end is not seen again when the file grows: the system clears it. */
function cut(content: Content): Content {
  const { sectors, size } = content;
  sectors.length = Math.min(sectors.length, Math.ceil(size / sectorBytes));
  const rest = size % sectorBytes;
  const last = sectors[Math.floor(size / sectorBytes)];
  if (rest !== 0 && last !== undefined && !isZeroFrom(last, rest)) {
    const cleared = Uint8Array.from(last);
    cleared.fill(0, rest);
    sectors[Math.floor(size / sectorBytes)] = cleared;
  }
  return content;
}

function isZeroFrom(sector: Uint8Array, from: number): boolean {
  for (let at = from; at < sector.length; at += 1) if (sector[at] !== 0) return false;
  return true;
}
