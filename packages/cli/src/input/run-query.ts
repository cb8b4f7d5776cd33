import type { Duration, RunQuery, RunStatus } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';

const statuses: readonly string[] = ['pending', 'running', 'waiting', 'suspended', 'completed', 'failed', 'cancelled'];

interface Draft {
  status: RunStatus[];
  tags: Record<string, string>;
  rest: { graph?: string; node?: string; parentId?: string; forkOf?: string; olderThan?: Duration; idPrefix?: string };
}

/** Parses the query of `holdfast runs`: `status:waiting graph:refunds tag:eu=yes age>1h ord_`. All conditions must match. */
export function parseRunQuery(words: readonly string[]): RunQuery {
  const draft: Draft = { status: [], tags: {}, rest: {} };
  for (const word of words.flatMap((each) => each.split(/\s+/u))) if (word !== '') addWord(draft, word);
  const { status, tags, rest } = draft;
  return { ...rest, ...(status.length > 0 && { status }), ...(Object.keys(tags).length > 0 && { tags }) };
}

function addWord(draft: Draft, word: string): void {
  const [, key, value = ''] = /^(status|graph|node|parent|fork-of|tag|age)[:>](.+)$/u.exec(word) ?? [];
  switch (key) {
    case 'status':
      draft.status.push(...value.split(',').map(checkStatus));
      return;
    case 'tag':
      Object.assign(draft.tags, parseTags([value]));
      return;
    case 'age':
      draft.rest.olderThan = value as Duration;
      return;
    case 'graph':
    case 'node':
      draft.rest[key] = value;
      return;
    case 'parent':
      draft.rest.parentId = value;
      return;
    case 'fork-of':
      draft.rest.forkOf = value;
      return;
    default:
      if (/[:>=<]/u.test(word)) {
        throw CliError.usage(
          `Unknown condition "${word}". Use status:, graph:, node:, tag:KEY=VALUE, parent:, fork-of: or age>1h.`,
        );
      }
      draft.rest.idPrefix = word;
  }
}

function checkStatus(text: string): RunStatus {
  if (statuses.includes(text)) return text as RunStatus;
  throw CliError.usage(`Unknown status "${text}". Use one of ${statuses.join(', ')}.`);
}

/** Parses `--status` values. */
export function parseStatuses(words: readonly string[]): readonly RunStatus[] {
  return words.map(checkStatus);
}

/** Parses tags, each `KEY=VALUE`. */
export function parseTags(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw CliError.usage(`Invalid tag "${word}". Write it as key=value.`);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}
