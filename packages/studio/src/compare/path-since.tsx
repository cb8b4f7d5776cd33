import type { CheckpointJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { runOf, seqOf } from '../format/id.ts';
import { dayAndClock } from '../format/time.ts';
import '../run/history/history.css';
import { hrefTo } from '../shell/router.ts';
import { partedAt, since } from './parted.ts';

const newest = 200;

/** What both sides did since they parted. Nothing is shown of states that have no common past. */
export function PathSince({ a, b }: { readonly a: string; readonly b: string }): JSX.Element | null {
  const past = useCommonPast(a, b);
  if (past === undefined) return null;
  const { left, right, parted } = past;
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

interface CommonPast {
  readonly left: readonly CheckpointJson[];
  readonly right: readonly CheckpointJson[];
  readonly parted: string;
}

/** The histories of two states, and where they parted. Undefined: they have nothing in common that is known. */
function useCommonPast(a: string, b: string): CommonPast | undefined {
  const left = useCheckpoints(a);
  const right = useCheckpoints(b);
  if (left === undefined || right === undefined) return undefined;
  const parted = partedAt(left, right);
  return parted === undefined ? undefined : { left, right, parted };
}

/** Two lines that part: where the histories of the compared states do. */
export function PartedPicture({ a, b }: { readonly a: string; readonly b: string }): JSX.Element | null {
  const past = useCommonPast(a, b);
  if (past === undefined) return null;
  const { parted, left, right } = past;
  const isFork = since(left, parted).length > 0 && since(right, parted).length > 0;
  return (
    <>
      {isFork && (
        <svg
          class="parting"
          viewBox="0 0 140 30"
          width="140"
          height="30"
          fill="none"
          stroke-width="2"
          aria-hidden="true"
        >
          <path class="lane0" d="M2 7H134" />
          <path class="lane1" d="M44 7Q56 7 58 13Q60 24 74 24H134" />
          <circle class="d-ring lane0" cx="42" cy="7" r="4" />
          <circle class="d-dot lane0" cx="134" cy="7" r="4.5" />
          <circle class="d-dot lane1" cx="134" cy="24" r="4.5" />
        </svg>
      )}
      <span class="muted nowrap">
        {isFork ? 'parted at' : 'since'} <code>@{seqOf(parted)}</code>
      </span>
    </>
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
