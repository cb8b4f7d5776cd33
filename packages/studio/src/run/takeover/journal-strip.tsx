import type { JSX } from 'preact';
import type { TakenOver } from '../fold/story.ts';
import { nodesBySuperstep, wordsOf } from '../inspector/journal-rows.ts';
import { isOver } from '../model/run-model.ts';
import { useRunContext } from '../page/run-context.ts';

/** The records around the takeover. */
const around = 7;

/** The journal as a strip: whose fence each record has. */
export function JournalStrip({ takeover }: { readonly takeover: TakenOver | undefined }): JSX.Element {
  const { model, run, story } = useRunContext();
  const nodes = nodesBySuperstep(story);
  const { records } = model.journal;
  const split = takeover?.seq ?? Number.POSITIVE_INFINITY;
  const at = records.findIndex(({ seq }) => seq >= split);
  const middle = at === -1 ? records.length : at;
  const shown = records.slice(Math.max(0, middle - around), middle + around);
  return (
    <section class="card js">
      <header>
        <h2>Journal</h2>
        <span class="cnt">
          {takeover === undefined ? 'the newest records' : 'the fence of the worker that wrote each record'}
        </span>
      </header>
      <ol class="strip" tabIndex={0} aria-label="Records">
        {shown.map((record) => {
          const isAfter = record.seq >= split;
          const { what, note } = wordsOf(record, nodes);
          return (
            <li key={record.id} class={isAfter ? 'two' : ''}>
              <span class="row">
                <code>@{record.seq}</code>
                <span class="grow" />
                {takeover !== undefined && (
                  <span class="fn">fence {isAfter ? takeover.fence : `< ${takeover.fence}`}</span>
                )}
              </span>
              <b>{record.kind}</b>
              <span class="cut muted" title={`${what} ${note}`}>
                {what} {note}
              </span>
            </li>
          );
        })}
        {takeover === undefined && !isOver(run) && (
          <li class="nx">
            <code>next</code>
            <b class="muted">not written yet</b>
          </li>
        )}
      </ol>
    </section>
  );
}
