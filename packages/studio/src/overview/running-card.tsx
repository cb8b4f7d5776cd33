import type { RunJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { overview } from '../api/pulse.ts';
import { useLoad } from '../api/use-load.ts';
import { capped, count } from '../format/number.ts';
import { Icon } from '../part/icon.tsx';
import { RunLink } from '../part/run-id.tsx';
import { Shown } from '../part/state.tsx';
import { Took } from '../part/when.tsx';
import { useDetails } from '../runs/use-details.ts';
import { hrefTo } from '../shell/router.ts';

const shown = 8;

/** What runs at this moment. */
export function RunningCard(): JSX.Element {
  const loaded = useLoad('running', () => client.runs('status:running', { limit: shown }));
  const details = useDetails(loaded.data?.runs ?? []);
  const all = overview.value?.runs.running;
  return (
    <section class="card">
      <header>
        <Icon name="running" class="c-running" />
        <h2>Running now</h2>
        <span class="cnt">{all === undefined ? '' : capped(all)}</span>
        <span class="grow" />
        <a class="link" href={hrefTo(['runs'], { q: 'status:running' })}>
          All running
        </a>
      </header>
      <Shown of={loaded} what="running runs" rows={3}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p class="quiet">Nothing runs at this moment.</p>
          ) : (
            <table class="tbl rn">
              <colgroup>
                <col class="c-id" />
                <col class="c-g hide-n" />
                <col />
                <col class="c-w hide-n" />
                <col class="c-t" />
              </colgroup>
              <thead class="sr">
                <tr>
                  <th>Run</th>
                  <th>Graph</th>
                  <th>Node</th>
                  <th>Worker</th>
                  <th>Runs for</th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run) => (
                  <RunningRow key={run.id} run={run} nodes={details(run)?.next ?? []} />
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
    </section>
  );
}

function RunningRow({ run, nodes }: { readonly run: RunJson; readonly nodes: readonly string[] }): JSX.Element {
  return (
    <tr>
      <td>
        <RunLink runId={run.id} class="mono med cut" />
      </td>
      <td class="muted hide-n">
        {run.graph} v{run.version}
      </td>
      <td>
        <span class="med">{nodes.join(', ')}</span> <span class="muted">super-step {count(run.superstep + 1)}</span>
      </td>
      <td class="mono faint hide-n">{run.worker ?? ''}</td>
      <td class="num muted">
        <Took from={run.createdAt} to={undefined} />
      </td>
    </tr>
  );
}
