import type { RunDetailsJson, RunJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count } from '../format/number.ts';
import { RunLink } from '../part/run-id.tsx';
import { StatusLabel } from '../part/status.tsx';
import { Age, Took } from '../part/when.tsx';
import { useKeys } from '../shell/keys.ts';
import { go, hrefTo } from '../shell/router.ts';
import { atOf, detailOf, hasEnded, tagTexts } from './run-text.ts';
import { useDetails } from './use-details.ts';

interface TableProps {
  readonly runs: readonly RunJson[];
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (ticked: ReadonlySet<string>) => void;
}

/** The runs of a page. Rows keep their place while it is shown. */
export function RunsTable({ runs, ticked, onTick }: TableProps): JSX.Element {
  const details = useDetails(runs.filter(({ status }) => status !== 'completed' && status !== 'pending'));
  const cursor = useCursor(runs, (id) => onTick(toggled(ticked, id)));
  const isAll = runs.length > 0 && runs.every(({ id }) => ticked.has(id));
  return (
    <table class="tbl runs">
      <thead>
        <tr>
          <th>
            <input
              type="checkbox"
              class="chk"
              aria-label="Tick all on this page"
              checked={isAll}
              indeterminate={!isAll && ticked.size > 0}
              onChange={() => onTick(isAll ? new Set() : new Set(runs.map(({ id }) => id)))}
            />
          </th>
          <th>Status</th>
          <th>Run</th>
          <th>Graph</th>
          <th>At</th>
          <th>Detail</th>
          <th>Tags</th>
          <th class="num">Super-step</th>
          <th class="num">Took</th>
          <th class="num">Updated</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run, at) => (
          <Row
            key={run.id}
            run={run}
            details={details(run)}
            isTicked={ticked.has(run.id)}
            isCurrent={at === cursor}
            onTick={() => onTick(toggled(ticked, run.id))}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly run: RunJson;
  readonly details: RunDetailsJson | undefined;
  readonly isTicked: boolean;
  readonly isCurrent: boolean;
  readonly onTick: () => void;
}

function Row({ run, details, isTicked, isCurrent, onTick }: RowProps): JSX.Element {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const detail = detailOf(run, details);
  return (
    <tr ref={row} class={`${isCurrent ? 'cur' : ''}${isTicked ? ' on' : ''}`}>
      <td>
        <input type="checkbox" class="chk" aria-label={`Tick ${run.id}`} checked={isTicked} onChange={onTick} />
      </td>
      <td class="c-st">
        <StatusLabel status={run.status} />
      </td>
      <td class="c-id">
        <RunLink runId={run.id} class="mono cut" />
      </td>
      <td class="c-g cut">
        {run.graph} {run.kind === 'graph' && <span class="faint">v{run.version}</span>}
      </td>
      <td class="c-at cut">{atOf(run, details)}</td>
      <td class="c-d">
        <span class="cut muted" title={detail}>
          {detail}
        </span>
      </td>
      <td class="c-tag">
        {tagTexts(run.tags).map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
      </td>
      <td class="num c-n">{count(run.superstep)}</td>
      <td class="num muted c-n">
        {run.status !== 'pending' && <Took from={run.createdAt} to={hasEnded(run) ? run.updatedAt : undefined} />}
      </td>
      <td class="num muted c-u">
        <Age at={run.updatedAt} />
      </td>
    </tr>
  );
}

/** The row that keys act on. -1: none yet. */
function useCursor(runs: readonly RunJson[], onTick: (id: string) => void): number {
  const [cursor, setCursor] = useState(-1);
  const current = runs[cursor];
  useKeys('Runs', [
    { keys: 'j', label: 'next run', run: () => setCursor(Math.min(cursor + 1, runs.length - 1)) },
    { keys: 'k', label: 'run before', run: () => setCursor(Math.max(cursor - 1, 0)) },
    { keys: 'x', label: 'tick the run', run: () => current !== undefined && onTick(current.id) },
    { keys: 'o', label: 'open the run', run: () => current !== undefined && go(hrefTo(['runs', current.id])) },
  ]);
  return cursor;
}

function toggled(ticked: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ticked);
  if (!next.delete(id)) next.add(id);
  return next;
}
