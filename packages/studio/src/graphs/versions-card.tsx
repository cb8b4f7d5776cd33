import type { GraphCheckJson, GraphJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { count, counted } from '../format/number.ts';
import { RunLink } from '../part/run-id.tsx';
import { Shown } from '../part/state.tsx';
import { StatusLabel } from '../part/status.tsx';
import { hrefTo } from '../shell/router.ts';

const shown = 5;

/** What a deploy of this build would strand: the unfinished runs of each version, and what they are missing. */
export function VersionsCard({ graph }: { readonly graph: GraphJson }): JSX.Element {
  const { name } = graph;
  const loaded = useLoad(`check ${name}`, () => client.check(name), { isLive: false });
  return (
    <section class="card">
      <header>
        <h2>Versions</h2>
        <span class="cnt">what a deploy of this build would strand</span>
      </header>
      <Shown of={loaded} what="unfinished runs" rows={2}>
        {(check) => (
          <>
            <VersionTable check={check} />
            {check.stranded.length > 0 && <Stranded check={check} />}
            <div class="ft2">
              <a class="link" href={hrefTo(['runs'], { q: `graph:${name} status:pending,running,waiting,suspended` })}>
                {check.isCut ? 'Only the newest runs were checked. Show them' : 'Show the unfinished runs'}
              </a>
              <span class="grow" />
              <code class="faint">holdfast check</code>
            </div>
          </>
        )}
      </Shown>
    </section>
  );
}

function VersionTable({ check }: { readonly check: GraphCheckJson }): JSX.Element {
  const { version: current, versions } = check;
  return (
    <table class="tbl vs">
      <thead>
        <tr>
          <th>Version</th>
          <th class="num">Unfinished</th>
          <th>Continues with this build</th>
        </tr>
      </thead>
      <tbody>
        {versions.map(({ version, unfinished, stranded }) => (
          <tr key={version}>
            <td>
              <span class="med">v{version}</span> {version === current && <span class="faint">this build</span>}
            </td>
            <td class="num">{count(unfinished)}</td>
            <td>
              <StatusLabel status={stranded === 0 ? 'completed' : 'failed'}>
                {wordsFor(unfinished, stranded)}
              </StatusLabel>
            </td>
          </tr>
        ))}
        {versions.length === 0 && (
          <tr>
            <td>
              <span class="med">v{current}</span> <span class="faint">this build</span>
            </td>
            <td class="num">0</td>
            <td class="muted">nothing is unfinished</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function wordsFor(unfinished: number, stranded: number): string {
  if (stranded === 0) return 'all';
  return stranded >= unfinished ? 'none' : `all but ${count(stranded)}`;
}

function Stranded({ check: { stranded } }: { readonly check: GraphCheckJson }): JSX.Element {
  return (
    <ul class="nx">
      {stranded.slice(0, shown).map(({ runId, missing }) => (
        <li key={runId}>
          <RunLink runId={runId} />
          <span class="muted cut grow" title={missing.join(', ')}>
            missing {missing.join(', ')}
          </span>
        </li>
      ))}
      {stranded.length > shown && <li class="faint">and {counted(stranded.length - shown, 'more run')}</li>}
    </ul>
  );
}
