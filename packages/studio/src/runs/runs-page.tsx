import type { RunJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { runsForms } from '../part/action-forms.ts';
import { ButtonLink } from '../part/button.tsx';
import { CopyAs } from '../part/copy/copy.tsx';
import { Empty, Shown } from '../part/state.tsx';
import { hrefTo, place, select } from '../shell/router.ts';
import { FilterBar } from './filter-bar.tsx';
import { mergeRuns } from './merge-runs.ts';
import './runs.css';
import { RunsFoot } from './runs-foot.tsx';
import { RunsTable } from './runs-table.tsx';

const pageSize = 50;

/** All runs, a page at a time. */
export function RunsPage(): JSX.Element {
  const { q = '', after } = place.value.query;
  return (
    <div class="page rp">
      <div class="head">
        <h1>Runs</h1>
        <span class="grow" />
        <CopyAs given={() => runsForms(q)} />
        <ButtonLink kind="primary" icon="plus" href={hrefTo(['graphs'])}>
          Start a run
        </ButtonLink>
      </div>
      <RunsCard key={`${q}\n${after ?? ''}`} query={q} after={after} />
    </div>
  );
}

interface Asked {
  readonly query: string;
  readonly after: string | undefined;
}

function RunsCard({ query, after }: Asked): JSX.Element {
  const loaded = useLoad(`runs ${query} ${after ?? ''}`, () => client.runs(query, { after, limit: pageSize }));
  const [shown, setShown] = useState<readonly RunJson[]>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const fresh = loaded.data?.runs;
  const { rows, newRuns } = mergeRuns(shown ?? fresh ?? [], fresh ?? []);
  useEffect(() => {
    if (shown === undefined && fresh !== undefined) setShown(fresh);
  }, [shown, fresh]);
  const isFirstPage = after === undefined;
  return (
    <div class="card">
      <FilterBar query={query} />
      {isFirstPage && newRuns > 0 && <NewRuns count={newRuns} onShow={() => setShown(fresh)} />}
      <div class="scr" tabIndex={-1}>
        <Shown of={loaded} what="runs" rows={8}>
          {() =>
            rows.length === 0 ? (
              <NothingFound query={query} />
            ) : (
              <RunsTable runs={rows} ticked={ticked} onTick={setTicked} />
            )
          }
        </Shown>
      </div>
      <RunsFoot
        ticked={rows.filter(({ id }) => ticked.has(id))}
        onClear={() => setTicked(new Set())}
        shown={rows.length}
        after={after}
        next={loaded.data?.next ?? null}
      />
    </div>
  );
}

function NewRuns({ count, onShow }: { readonly count: number; readonly onShow: () => void }): JSX.Element {
  return (
    <div class="newpill">
      <button type="button" onClick={onShow}>
        {count === pageSize
          ? `${count} or more new runs, show`
          : count === 1
            ? '1 new run, show'
            : `${count} new runs, show`}
      </button>
    </div>
  );
}

function NothingFound({ query }: { readonly query: string }): JSX.Element {
  if (query === '')
    return (
      <Empty title="No runs yet" command="holdfast demo">
        Start one here, or from a terminal in your project.
      </Empty>
    );
  return (
    <Empty
      title="No run matches"
      action={
        <button type="button" class="btn" onClick={() => select({ q: undefined, after: undefined })}>
          Show all runs
        </button>
      }
    >
      Every condition has to match: {query}
    </Empty>
  );
}
