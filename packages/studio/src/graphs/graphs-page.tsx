import type { GraphJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { shortHash } from '../format/id.ts';
import { count } from '../format/number.ts';
import { ButtonLink } from '../part/button.tsx';
import { Empty, Shown } from '../part/state.tsx';
import { hrefTo } from '../shell/router.ts';
import './graphs.css';

/** The graphs that the server has the code of. */
export function GraphsPage(): JSX.Element {
  const loaded = useLoad('graphs', () => client.graphs(), { isLive: false });
  return (
    <div class="page">
      <div class="head">
        <h1>Graphs</h1>
        <p>{loaded.data !== undefined && loaded.data.length > 0 && 'what this server can start'}</p>
      </div>
      <section class="card">
        <Shown of={loaded} what="graphs" rows={4}>
          {(graphs) => (graphs.length === 0 ? <NoGraphs /> : <GraphTable graphs={graphs} />)}
        </Shown>
      </section>
    </div>
  );
}

function NoGraphs(): JSX.Element {
  return (
    <Empty
      title="This server has no graphs"
      command="holdfast studio -g refunds.ts"
      action={<ButtonLink href={hrefTo(['runs'])}>Show the runs</ButtonLink>}
    >
      It was started without their code: runs can be read and answered, and nothing can be started here.
    </Empty>
  );
}

function GraphTable({ graphs }: { readonly graphs: readonly GraphJson[] }): JSX.Element {
  return (
    <table class="tbl gt">
      <thead>
        <tr>
          <th>Graph</th>
          <th class="num">Version</th>
          <th class="num">Nodes</th>
          <th>Asks</th>
          <th class="hide-n">Fingerprint</th>
          <th>
            <span class="sr">Start</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {graphs.map(({ name, version, structure, fingerprint }) => (
          <tr key={name}>
            <td>
              <a class="med" href={hrefTo(['graphs', name])}>
                {name}
              </a>
            </td>
            <td class="num muted">v{version}</td>
            <td class="num muted">{count(structure.nodes.length)}</td>
            <td class="muted cut">{structure.asks.join(', ')}</td>
            <td class="mono faint hide-n" title={fingerprint}>
              {shortHash(fingerprint)}
            </td>
            <td class="num">
              <ButtonLink isSmall href={hrefTo(['graphs', name])}>
                Start<span class="sr"> a run of {name}</span>
              </ButtonLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
