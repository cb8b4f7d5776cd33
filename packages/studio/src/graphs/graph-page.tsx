import type { GraphJson } from '@holdfast/server/client';
import { ClientError } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { shortHash } from '../format/id.ts';
import { counted } from '../format/number.ts';
import { Button } from '../part/button.tsx';
import { copy } from '../part/copy/copy.tsx';
import { Segmented } from '../part/segmented.tsx';
import { Shown } from '../part/state.tsx';
import { place, select } from '../shell/router.ts';
import './graphs.css';
import { StartForm } from './start-form.tsx';
import { StructureList, StructurePicture } from './structure-picture.tsx';
import { VersionsCard } from './versions-card.tsx';

/** A graph: its structure, a form that starts it, and which runs its code can continue. */
export function GraphPage({ name }: { readonly name: string }): JSX.Element {
  const loaded = useLoad(`graph ${name}`, () => graphNamed(name), { isLive: false });
  const graph = loaded.data;
  const view = place.value.query['view'] === 'mermaid' ? 'mermaid' : 'structure';
  return (
    <div class="page gp">
      <div class="head">
        <h1>{name}</h1>
        {graph !== undefined && <span class="tag">v{graph.version}</span>}
        <p class="hide-n">
          {graph !== undefined && (
            <>
              fingerprint <code title={graph.fingerprint}>{shortHash(graph.fingerprint)}</code>
            </>
          )}
        </p>
        <span class="grow" />
        <Segmented
          label="Structure as"
          choices={[
            ['structure', 'Structure'],
            ['mermaid', 'Mermaid'],
          ]}
          chosen={view}
          onChoose={(next) => select({ view: next === 'mermaid' ? next : undefined })}
        />
      </div>
      <Shown of={loaded} what="the graph">
        {(found) => (
          <div class="gg">
            <Structure graph={found} view={view} />
            <StartForm graph={found} />
            <VersionsCard graph={found} />
          </div>
        )}
      </Shown>
    </div>
  );
}

async function graphNamed(name: string): Promise<GraphJson> {
  const found = (await client.graphs()).find((graph) => graph.name === name);
  if (found !== undefined) return found;
  throw new ClientError(404, {
    code: 'HTTP_NOT_FOUND',
    message: `This server was started without the code of "${name}".`,
  });
}

function Structure({
  graph,
  view,
}: {
  readonly graph: GraphJson;
  readonly view: 'structure' | 'mermaid';
}): JSX.Element {
  const { nodes } = graph.structure;
  const inner = nodes.filter((node) => node.inner !== undefined).length;
  return (
    <section class="card st1 p-graph">
      <header>
        <h2>Structure</h2>
        <span class="cnt">
          {counted(nodes.length, 'node')}
          {inner > 0 && `, ${counted(inner, 'graph')} inside`}
        </span>
        <span class="grow" />
        {view === 'mermaid' && (
          <Button isSmall kind="ghost" icon="copy" onClick={() => void copy(graph.mermaid, 'the diagram')}>
            Copy
          </Button>
        )}
      </header>
      {view === 'mermaid' ? (
        <pre class="mono mm" tabIndex={0} aria-label="Mermaid">
          {graph.mermaid}
        </pre>
      ) : (
        <div class="body">
          <StructurePicture structure={graph.structure} />
          <StructureList structure={graph.structure} />
        </div>
      )}
    </section>
  );
}
