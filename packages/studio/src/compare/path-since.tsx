import type { CheckpointJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { runOf, seqOf } from '../format/id.ts';
import { dayAndClock } from '../format/time.ts';
import { hrefTo } from '../shell/router.ts';
import { partedAt, since } from './parted.ts';

const newest = 200;

/** What both sides did since they parted. Nothing is shown of states that have no common past. */
export function PathSince({ a, b }: { readonly a: string; readonly b: string }): JSX.Element | null {
  const left = useCheckpoints(a);
  const right = useCheckpoints(b);
  if (left === undefined || right === undefined) return null;
  const parted = partedAt(left, right);
  if (parted === undefined) return null;
  return (
    <section class="card path">
      <header>
        <h2>
          Path since <code>{parted}</code>
        </h2>
      </header>
      <div class="pr2">
        <Path checkpoints={since(left, parted)} />
        <Path checkpoints={since(right, parted)} />
      </div>
    </section>
  );
}

function useCheckpoints(state: string): readonly CheckpointJson[] | undefined {
  const runId = runOf(state);
  const seq = seqOf(state);
  const loaded = useLoad(`checkpoints ${runId}`, () => client.checkpoints(runId, { limit: newest }), { isLive: false });
  return loaded.data?.checkpoints.filter((each) => seq === undefined || each.runId !== runId || each.seq <= seq);
}

function Path({ checkpoints }: { readonly checkpoints: readonly CheckpointJson[] }): JSX.Element {
  return (
    <ol>
      {checkpoints.map(({ id, runId, seq, label, next, at, kind, nodes }) => (
        <li key={id}>
          <code class="muted">@{seq}</code>
          <a class="med" href={hrefTo(['runs', runId], { at: String(seq) })}>
            {nodes.length > 0 ? nodes.join(' ∥ ') : (kind ?? 'checkpoint')}
          </a>
          <span class="muted cut">
            {[label, next.length === 0 ? 'end' : `next ${next.join(', ')}`].filter(isText).join(', ')}
          </span>
          <span class="grow" />
          <span class="faint nowrap hide-n">{dayAndClock(at)}</span>
        </li>
      ))}
      {checkpoints.length === 0 && <li class="faint">Nothing since.</li>}
    </ol>
  );
}

function isText(text: string): boolean {
  return text !== '' && !text.startsWith('fork-of:');
}
