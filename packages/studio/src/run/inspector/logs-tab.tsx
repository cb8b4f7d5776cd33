import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { clock } from '../../format/time.ts';
import { Segmented } from '../../part/segmented.tsx';
import { jsonLines } from '../diff/diff-rows.ts';
import { superstepOf } from '../model/selection.ts';
import { useRunContext } from '../page/run-context.ts';

const mostLines = 300;

/** What the code logged: in the selected step, or in the whole run. */
export function LogsTab(): JSX.Element {
  const context = useRunContext();
  const [scope, setScope] = useState<'step' | 'run'>('step');
  const all = context.story?.logs ?? [];
  const index = superstepOf(context)?.index;
  const lines = scope === 'run' ? all : all.filter(({ superstep }) => superstep === index);
  return (
    <>
      <div class="tabbar2">
        <Segmented
          label="Whose logs"
          choices={
            [
              ['step', 'This super-step'],
              ['run', 'Whole run'],
            ] as const
          }
          chosen={scope}
          onChoose={setScope}
        />
        <span class="grow" />
        {lines.length > mostLines && <span class="faint">the last {mostLines}</span>}
      </div>
      {lines.length === 0 ? (
        <p class="quiet">
          {scope === 'step' ? 'This super-step wrote no logs.' : 'This run wrote no logs.'} A node writes one with{' '}
          <code>log(message, data)</code>.
        </p>
      ) : (
        <ol class="logs">
          {lines.slice(-mostLines).map(({ seq, at, node, message, data }) => (
            <li key={seq}>
              <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
              <span class="med nowrap">{node}</span>
              <span>
                {message}
                {data !== undefined && <code class="muted"> {jsonLines(data).join(' ')}</code>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
