import type { GraphSizeJson, StoreJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { storeName } from '../api/mount.ts';
import { useLoad } from '../api/use-load.ts';
import { bytes, count, percent } from '../format/number.ts';
import { Empty, Shown } from '../part/state.tsx';
import { hrefTo } from '../shell/router.ts';
import { PruneCard } from './prune-card.tsx';
import './store.css';

/** How large the store is, what makes it so, and what a prune would drop. */
export function StorePage(): JSX.Element {
  const loaded = useLoad('store', () => client.store(), { isLive: false });
  return (
    <div class="page">
      <div class="head">
        <h1>Store</h1>
        {storeName !== '' && <p class="mono cut">{storeName}</p>}
        <p>{loaded.data?.isCut === true && 'Only its newest runs were counted.'}</p>
      </div>
      <Shown of={loaded} what="the size of the store">
        {(store) => (store.graphs.length === 0 ? <EmptyStore /> : <Sizes store={store} onPruned={loaded.reload} />)}
      </Shown>
    </div>
  );
}

function EmptyStore(): JSX.Element {
  return (
    <section class="card">
      <Empty title="The store is empty" command="holdfast demo">
        What runs write into it appears here, by graph.
      </Empty>
    </section>
  );
}

function Sizes({ store, onPruned }: { readonly store: StoreJson; readonly onPruned: () => void }): JSX.Element {
  const sum = (of: (graph: GraphSizeJson) => number): number =>
    store.graphs.reduce((total, graph) => total + of(graph), 0);
  const more = store.isCut ? '+' : '';
  const size = sum((graph) => graph.bytes);
  return (
    <>
      <dl class="kp">
        <Figure value={`${bytes(size)}${more}`} name="in journals, about" />
        <Figure value={`${count(sum(({ runs }) => runs))}${more}`} name="runs" />
        <Figure value={`${count(sum(({ records }) => records))}${more}`} name="records" />
        <Figure value={count(store.graphs.length)} name={store.graphs.length === 1 ? 'graph' : 'graphs'} />
      </dl>
      <div class="sg2">
        <GraphSizes graphs={store.graphs} total={size} />
        <PruneCard total={size} onPruned={onPruned} />
      </div>
    </>
  );
}

function Figure({ value, name }: { readonly value: string; readonly name: string }): JSX.Element {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface SizesProps {
  readonly graphs: readonly GraphSizeJson[];
  readonly total: number;
}

function GraphSizes({ graphs, total }: SizesProps): JSX.Element {
  const largest = Math.max(1, ...graphs.map((graph) => graph.bytes));
  return (
    <section class="card">
      <header>
        <h2>Size by graph</h2>
        <span class="cnt">estimated from samples</span>
      </header>
      <table class="tbl bz">
        <thead>
          <tr>
            <th>Graph</th>
            <th class="hide-n">Share</th>
            <th class="num">Size</th>
            <th class="num">Records</th>
            <th class="num">Runs</th>
          </tr>
        </thead>
        <tbody>
          {graphs
            .toSorted((one, other) => other.bytes - one.bytes)
            .map(({ graph, bytes: size, records, runs }) => (
              <tr key={graph}>
                <td class="med">
                  <a href={hrefTo(['runs'], { q: `graph:${graph}` })}>{graph}</a>
                </td>
                <td class="hide-n">
                  <span class="bx" role="img" aria-label={percent(size, total)}>
                    <i style={{ width: `${(100 * size) / largest}%` }} />
                  </span>
                </td>
                <td class="num nowrap">{bytes(size)}</td>
                <td class="num muted">{count(records)}</td>
                <td class="num muted">{count(runs)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
