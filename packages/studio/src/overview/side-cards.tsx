import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { overview } from '../api/pulse.ts';
import { useLoad } from '../api/use-load.ts';
import { bytes, capped, counted } from '../format/number.ts';
import { Icon } from '../part/icon.tsx';
import { Shown } from '../part/state.tsx';
import { StatusLabel } from '../part/status.tsx';
import { hrefTo } from '../shell/router.ts';
import { largestWithRest, sizeColours } from '../store/sizes.ts';

const statuses = ['running', 'pending', 'waiting', 'suspended', 'failed', 'cancelled', 'completed'] as const;

/** How many runs there are of each status. */
export function StatusCard(): JSX.Element {
  const counts = overview.value?.runs;
  return (
    <section class="card">
      <header>
        <h2>Runs</h2>
        <span class="cnt">by status</span>
        <span class="grow" />
        <a class="link" href={hrefTo(['runs'])}>
          All runs
        </a>
      </header>
      <ul class="nx">
        {statuses.map((status) => (
          <li key={status}>
            <a class="grow" href={hrefTo(['runs'], { q: `status:${status}` })}>
              <StatusLabel status={status} />
            </a>
            <span class="num">{counts === undefined ? '' : capped(counts[status])}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How large the store is, and what makes it so. */
export function StoreCard(): JSX.Element {
  // It samples records: once per visit is enough.
  const loaded = useLoad('store', () => client.store(), { isLive: false });
  const graphs = loaded.data?.graphs ?? [];
  const total = graphs.reduce((sum, { bytes: size }) => sum + size, 0);
  return (
    <section class="card">
      <header>
        <h2>Store</h2>
        <span class="cnt">{loaded.data === undefined ? '' : `about ${bytes(total)}`}</span>
        <span class="grow" />
        <a class="link" href={hrefTo(['store'])}>
          Prune
        </a>
      </header>
      <Shown of={loaded} what="the size of the store" rows={2}>
        {() => {
          const parts = largestWithRest(graphs, 3);
          return (
            <div class="pad">
              <div class="stack" role="img" aria-label="Size by graph">
                {parts.map(({ name, size }, at) => (
                  <i key={name} class={sizeColours[at]} style={{ flexGrow: Math.max(size, total / 100) }} />
                ))}
              </div>
              <dl class="lg">
                {parts.map(({ name, size }, at) => (
                  <div key={name}>
                    <dt class="cut">
                      <i class={sizeColours[at]} /> {name}
                    </dt>
                    <dd>{bytes(size)}</dd>
                  </div>
                ))}
              </dl>
            </div>
          );
        }}
      </Shown>
    </section>
  );
}

/** The workers that execute something now. */
export function WorkersCard(): JSX.Element {
  const loaded = useLoad('workers', () => client.runs('status:running', { limit: 200 }));
  const byWorker = new Map<string, number>();
  for (const { worker } of loaded.data?.runs ?? [])
    if (worker !== null) byWorker.set(worker, (byWorker.get(worker) ?? 0) + 1);
  return (
    <section class="card">
      <header>
        <h2>Workers</h2>
        <span class="cnt">that execute runs now</span>
      </header>
      {byWorker.size === 0 ? (
        <p class="quiet">No worker executes a run at this moment.</p>
      ) : (
        <ul class="nx">
          {[...byWorker].map(([worker, runs]) => (
            <li key={worker}>
              <Icon name="cpu" />
              <span class="mono grow cut">{worker}</span>
              <span class="muted">{counted(runs, 'run')}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
