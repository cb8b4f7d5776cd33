import type { CountJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { client } from '../api/client.ts';
import { overview } from '../api/pulse.ts';
import { useLoad } from '../api/use-load.ts';
import { capped } from '../format/number.ts';
import { Icon } from '../part/icon.tsx';
import type { Status } from '../part/status.tsx';
import { select } from '../shell/router.ts';
import { queryOf, statusesOf, tokensOf, withStatus } from './query-tokens.ts';

const statuses = ['waiting', 'failed', 'running', 'pending', 'suspended', 'completed', 'cancelled'] as const;

/** The query as conditions, and a chip for each status. */
export function FilterBar({ query }: { readonly query: string }): JSX.Element {
  return (
    <div class="fbar">
      <QueryField query={query} />
      <StatusChips query={query} />
    </div>
  );
}

function search(query: string): void {
  select({ q: query, after: undefined });
}

function QueryField({ query }: { readonly query: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const tokens = tokensOf(query);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const added = input.current?.value.trim() ?? '';
    if (added !== '') search(`${query} ${added}`.trim());
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && input.current?.value === '') search(queryOf(tokens.slice(0, -1)));
    if (event.key === 'Escape') input.current?.blur();
  };
  return (
    <form class="query" onSubmit={submit} role="search" aria-label="Filter">
      <Icon name="filter" />
      {tokens.map((token, at) => (
        <span class="tok" key={token.text}>
          <b>{token.field}</b>
          {token.op}
          <i>{token.value}</i>
          <button
            type="button"
            aria-label={`Remove ${token.text}`}
            onClick={() => search(queryOf(tokens.toSpliced(at, 1)))}
          >
            <Icon name="x" />
          </button>
        </span>
      ))}
      <input
        ref={input}
        type="search"
        class="mono"
        aria-label="Filter the runs"
        placeholder='status:waiting graph:refunds tag:eu node:approve age<7d "text"'
        spellcheck={false}
        autocomplete="off"
        maxLength={900}
        onKeyDown={onKey}
      />
      <kbd class="hide-n" aria-hidden="true">
        /
      </kbd>
    </form>
  );
}

type Counts = Readonly<Partial<Record<Status, CountJson>>>;

function StatusChips({ query }: { readonly query: string }): JSX.Element {
  const rest = withStatus(query, undefined);
  const counted = useLoad(rest === '' ? undefined : `counts ${rest}`, () => countsOf(rest), { isLive: false });
  const counts: Counts | undefined = rest === '' ? overview.value?.runs : counted.data;
  const chosen = statusesOf(query);
  return (
    <div class="chips" role="group" aria-label="Status">
      <button type="button" class="fchip" aria-pressed={chosen.length === 0} onClick={() => search(rest)}>
        all
        <span class="faint">{counts === undefined ? '' : capped(sumOf(counts))}</span>
      </button>
      {statuses.map((status) => {
        const count = counts?.[status];
        return (
          <button
            key={status}
            type="button"
            class="fchip"
            aria-pressed={chosen.includes(status)}
            onClick={() => search(chosen.includes(status) ? rest : withStatus(query, status))}
          >
            <Icon name={status} class={`c-${status}`} />
            {status}
            <span class="faint">{count === undefined ? '' : capped(count)}</span>
          </button>
        );
      })}
    </div>
  );
}

async function countsOf(query: string): Promise<Counts> {
  const entries = statuses.map(async (status) => [status, await client.count(`status:${status} ${query}`)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

function sumOf(counts: Counts): CountJson {
  const all = Object.values(counts);
  return { count: all.reduce((sum, { count }) => sum + count, 0), isCut: all.some(({ isCut }) => isCut) };
}
