import type { JSX } from 'preact';
import type { CallMark } from '../../part/status.tsx';
import { Mark } from '../../part/status.tsx';
import type { TakenOver } from '../fold/story.ts';
import { isOver } from '../model/run-model.ts';
import { useRunContext } from '../page/run-context.ts';
import type { Comparison, Fate } from './compare-workers.ts';

/** Of a long run, the calls around the takeover. */
const mostBefore = 12;
const mostAfter = 12;

/** Every call, and what became of it in both workers. */
export function Calls({
  takeover,
  comparison,
}: {
  readonly takeover: TakenOver | undefined;
  readonly comparison: Comparison;
}): JSX.Element {
  const { run } = useRunContext();
  const { calls } = comparison;
  // Of a run that nobody took over, what the next worker would do is told while there may be one.
  const hasSecond = takeover !== undefined || !isOver(run);
  const cut = calls.findIndex(({ first }) => first === 'killed');
  const middle = cut === -1 ? calls.length : cut;
  const from = Math.max(0, middle - mostBefore);
  const shown = calls.slice(from, middle + mostAfter);
  const first = takeover?.from ?? (takeover === undefined ? (run.worker ?? 'its workers') : 'the worker that died');
  return (
    <section class="card tw2">
      <header>
        <h2>Calls</h2>
        <span class="cnt">
          {shown.length < calls.length ? `${shown.length} of ${calls.length.toLocaleString('en-US')}` : calls.length}
        </span>
      </header>
      {calls.length === 0 ? (
        <p class="quiet">No call has been recorded yet.</p>
      ) : (
        <table class="tbl">
          <thead>
            <tr>
              <th>Call</th>
              <th title={first}>{first}</th>
              {hasSecond && <th title={takeover?.by}>{takeover?.by ?? 'next worker'}</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map((call) => (
              <CallRow key={call.key} call={call} hasSecond={hasSecond} />
            ))}
          </tbody>
        </table>
      )}
      {hasSecond && (
        <p class="ft">
          <b>kept</b> committed, never looked at again. <b>replayed</b> given back from the journal. <b>killed</b> cut
          off before it was committed, so it is executed again.
        </p>
      )}
    </section>
  );
}

function CallRow({
  call: { node, call, note, first, second },
  hasSecond,
}: {
  readonly call: Comparison['calls'][number];
  readonly hasSecond: boolean;
}): JSX.Element {
  return (
    <tr>
      <td class="cut" title={`${node} ${call} ${note}`}>
        <span class="med">{node}</span>
        {call !== '' && <span class="muted"> › {call === '.graph' ? 'inner graph' : call}</span>}{' '}
        <span class="faint">{note}</span>
      </td>
      <td>
        <FateMark fate={first} none="" />
      </td>
      {hasSecond && (
        <td>
          <FateMark fate={second} none="not yet" />
        </td>
      )}
    </tr>
  );
}

function FateMark({ fate, none }: { readonly fate: Fate; readonly none: string }): JSX.Element {
  if (fate === undefined) return <span class="faint">{none}</span>;
  const mark: CallMark = fate;
  return <Mark mark={mark} />;
}
