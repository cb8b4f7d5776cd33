import type { Duration, RunQuery, RunStatus, RunSummary } from 'holdfast';
import { invalidRequest } from '../api-error.ts';

const statuses: readonly string[] = ['pending', 'running', 'waiting', 'suspended', 'completed', 'failed', 'cancelled'];
const keys = 'status:, graph:, node:, tag:KEY=VALUE, tag:KEY, parent:, fork-of:, id:, age>1h, age<1h or "text"';
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const maxConditions = 20;

/** A query for runs: what the store finds, and what is left out of that. */
export interface ParsedQuery {
  readonly query: RunQuery;
  /** Undefined: everything the store finds matches. */
  readonly matches: ((run: RunSummary) => boolean) | undefined;
}

interface Draft {
  /** Whether the value of a tag is hidden. Nobody can find out what it is by looking for it. */
  readonly isHidden: (tag: string) => boolean;
  readonly status: RunStatus[];
  readonly tags: Record<string, string>;
  rest: Pick<RunQuery, 'graph' | 'node' | 'parentId' | 'forkOf' | 'idPrefix' | 'olderThan'>;
  readonly filters: ((run: RunSummary) => boolean)[];
}

/**
 * Parses `status:waiting graph:refunds node:approve tag:eu age>1h "text"`. All conditions must match; several statuses are
 * alternatives. A text matches ids, graphs, tags and what a run waits for.
 *
 * @throws ApiError
 */
export function parseRunQuery(text: string, now: number, isHidden: (tag: string) => boolean): ParsedQuery {
  const draft: Draft = {
    isHidden,
    status: [], tags: Object.create(null) as Record<string, string>, rest: {}, filters: [] };
  const words = text.match(/[a-z-]*[:<>]?"[^"]*"|\S+/gu) ?? [];
  if (words.length > maxConditions) throw invalidRequest(`A query has at most ${maxConditions} conditions.`);
  for (const word of words) addWord(draft, word, now);
  const { status, tags, rest, filters } = draft;
  if (isRunningAlone(status)) filters.push((run) => run.status !== 'pending');
  return {
    query: {
      ...rest,
      ...(status.length > 0 && { status: isRunningAlone(status) ? [...status, 'pending'] : status }),
      ...(Object.keys(tags).length > 0 && { tags: { ...tags } }),
    },
    matches: filters.length === 0 ? undefined : (run) => filters.every((filter) => filter(run)),
  };
}

/**
 * A run that a worker has just leased is stored as pending. To find it, the store gives all that are pending: asked for by
 * their name, they count as runs that were looked at, so that very many of them cannot make a page slow.
 */
function isRunningAlone(status: readonly RunStatus[]): boolean {
  return status.includes('running') && !status.includes('pending');
}

function addWord(draft: Draft, word: string, now: number): void {
  const [, key, quoted, bare = ''] = /^([a-z-]+[:<>])(?:"([^"]*)"|(.+))$/u.exec(word) ?? [];
  const value = quoted ?? bare;
  switch (key) {
    case 'status:':
      draft.status.push(...value.split(',').map(checkStatus));
      return;
    case 'graph:':
    case 'node:':
      draft.rest = { ...draft.rest, [key.slice(0, -1)]: value };
      return;
    case 'parent:':
      if (value === 'none') draft.filters.push(({ parentId }) => parentId === null);
      else draft.rest = { ...draft.rest, parentId: value };
      return;
    case 'fork-of:':
      draft.rest = { ...draft.rest, forkOf: value };
      return;
    case 'id:':
      draft.rest = { ...draft.rest, idPrefix: value };
      return;
    case 'tag:':
      return addTag(draft, value);
    case 'age>':
      durationMs(value);
      draft.rest = { ...draft.rest, olderThan: value as Duration };
      return;
    case 'age<': {
      const since = now - durationMs(value);
      draft.filters.push(({ updatedAt }) => updatedAt.getTime() > since);
      return;
    }
    default:
      addText(draft, word);
  }
}

function addTag(draft: Draft, tag: string): void {
  const at = tag.indexOf('=');
  if (at < 0) draft.filters.push(({ tags }) => Object.hasOwn(tags, tag));
  else if (at === 0) throw invalidRequest(`Invalid tag "${tag.slice(0, 100)}". Write tag:KEY=VALUE or tag:KEY.`);
  else {
    const name = tag.slice(0, at);
    if (draft.isHidden(name)) throw invalidRequest(`The tag "${name}" is hidden: no run is found by its value.`);
    draft.tags[name] = tag.slice(at + 1);
  }
}

function addText(draft: Draft, word: string): void {
  const [, inner] = /^"([^"]*)"$/u.exec(word) ?? [];
  if (inner === undefined && /[:<>="]/u.test(word))
    throw invalidRequest(`Unknown condition "${word.slice(0, 100)}". Use ${keys}.`);
  const wanted = (inner ?? word).toLowerCase();
  draft.filters.push(({ id, graph, tags, waits }) => {
    const ofTags = Object.entries(tags).flatMap(([name, value]) => (draft.isHidden(name) ? [name] : [name, value]));
    return [id, graph, ...ofTags, ...waits.map(({ name }) => name)].some((each) => each.toLowerCase().includes(wanted));
  });
}

function checkStatus(text: string): RunStatus {
  if (statuses.includes(text)) return text as RunStatus;
  throw invalidRequest(`Unknown status "${text.slice(0, 100)}". Use one of ${statuses.join(', ')}.`);
}

function durationMs(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/u.exec(text) ?? [];
  if (amount === undefined) throw invalidRequest(`Invalid duration "${text.slice(0, 100)}". Write 30s, 5m, 1h or 2d.`);
  return Number(amount) * (unitMs[unit] as number);
}
