import type { RunHeader } from '../contract.ts';

/** For so many runs: those that are written side by side. */
const mostRuns = 256;

/** What a header says from commit to commit, as text: before, between and after the members that every step changes. */
interface LastingText {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

interface Known {
  readonly header: RunHeader;
  /** Undefined until the run is written for the second time. */
  text: LastingText | undefined;
}

/** Writes headers as JSON. Of a run that is written again and again, only what has changed is encoded. */
export class HeaderTexts {
  readonly #known = new Map<string, Known>();

  encode(header: RunHeader): string {
    const known = this.#known.get(header.run);
    if (known === undefined || !isAlike(known.header, header)) {
      if (this.#known.size >= mostRuns) this.#known.clear();
      this.#known.set(header.run, { header, text: undefined });
      return JSON.stringify(header);
    }
    known.text ??= lastingText(header);
    const { start, middle, end } = known.text;
    const { step, head, frontier, updatedAt, token } = header;
    const progress = `"step":${step},"head":${head},"frontier":${JSON.stringify(frontier)}`;
    return `{${start},${progress},${middle},"updatedAt":${updatedAt},${end},"token":${JSON.stringify(token)}}`;
  }
}

/** In the order of `headerAfter`. */
function lastingText(header: RunHeader): LastingText {
  const { run, graph, version, status, waits, wakeAt, tags, base, parent, loop, createdAt } = header;
  const { floor, worker, fence, claims, hidden, draft } = header;
  return {
    start: members({ run, graph, version, status }),
    middle: members({ waits, wakeAt, tags, base, parent, loop, createdAt }),
    end: members({ floor, worker, fence, claims, hidden, draft }),
  };
}

function members(part: Partial<RunHeader>): string {
  return JSON.stringify(part).slice(1, -1);
}

/** Whether the headers say the same but for what every step changes. What is in them is never changed, only replaced. */
function isAlike(a: RunHeader, b: RunHeader): boolean {
  return (
    a.status === b.status &&
    a.waits === b.waits &&
    a.wakeAt === b.wakeAt &&
    a.tags === b.tags &&
    a.floor === b.floor &&
    a.worker === b.worker &&
    a.fence === b.fence &&
    a.claims === b.claims &&
    a.hidden === b.hidden &&
    a.draft === b.draft &&
    isOfOneCreation(a, b)
  );
}

function isOfOneCreation(a: RunHeader, b: RunHeader): boolean {
  return (
    a.run === b.run &&
    a.graph === b.graph &&
    a.version === b.version &&
    a.base === b.base &&
    a.parent === b.parent &&
    a.loop === b.loop &&
    a.createdAt === b.createdAt
  );
}
