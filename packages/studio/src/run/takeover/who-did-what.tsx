import type { JSX } from 'preact';
import { now } from '../../api/live.ts';
import { grouped } from '../../format/grouped.ts';
import { clock, duration } from '../../format/time.ts';
import { Icon } from '../../part/icon.tsx';
import type { Span, TakenOver } from '../fold/story.ts';
import { isOver } from '../model/run-model.ts';
import { useRunContext } from '../page/run-context.ts';
import { isNarrow } from '../page/use-narrow.ts';
import { barsOf } from '../timeline/rows.ts';
import { type Scale, scaleOf, ticksOf } from '../timeline/scale.ts';

const mostRows = 12;
/** What happened around the takeover, not days before it. */
const beforeMs = 60_000;

/** Two workers over one axis, with the time between them. */
export function WhoDidWhat({ takeover }: { readonly takeover: TakenOver | undefined }): JSX.Element {
  const { story, run } = useRunContext();
  const time = isOver(run) ? (story?.to ?? now.value) : now.value;
  const around = takeover?.at ?? time;
  const spans = (story?.spans ?? []).filter(
    ({ kind, from, to }) => kind === 'run' && (to ?? time) >= around - beforeMs && from <= around + beforeMs,
  );
  const isFirst = ({ end, from }: Span): boolean =>
    takeover === undefined || end === 'killed' || from < takeover.diedAt;
  const ends = spans.map(({ from, to }) => ({ from, to: to ?? time }));
  const scale = scaleOf(ends, { isCollapsed: false, ...(takeover === undefined && { to: time }) });
  const shared = { scale, time };
  return (
    <section class="card ln">
      <Head />
      {spans.length === 0 ? (
        <p class="quiet">Nothing has been executed yet.</p>
      ) : (
        <div class="lanes2">
          <div class="axis" aria-hidden="true">
            {ticksOf(scale, { isNarrow: isNarrow.value }).map(({ time: at, x, offsetMs }) => (
              <span key={at} style={{ left: percent(x) }}>
                {offsetMs === undefined ? clock(at) : `+${duration(offsetMs).replace('.0 s', ' s')}`}
              </span>
            ))}
          </div>
          <WorkerRows
            name={
              takeover === undefined
                ? (run.worker ?? (isOver(run) ? 'its workers' : 'no worker'))
                : (takeover.from ?? 'the worker that died')
            }
            fence={takeover === undefined ? undefined : `before fence ${takeover.fence}`}
            spans={spans.filter(isFirst)}
            {...shared}
          />
          {takeover !== undefined && (
            <WorkerRows
              name={takeover.by}
              fence={`fence ${takeover.fence}`}
              spans={spans.filter((span) => !isFirst(span))}
              {...shared}
            />
          )}
          <Marks takeover={takeover} scale={scale} now={!isOver(run) && scale.to >= time - 1 ? time : undefined} />
        </div>
      )}
    </section>
  );
}

function Head(): JSX.Element {
  return (
    <header>
      <h2>Who did what</h2>
      <span class="grow" />
      <span class="keys" aria-hidden="true">
        {(['ok', 'bad', 'kill'] as const).map((kind) => (
          <span key={kind}>
            <i class={`b ${kind}`} />
            {keys[kind]}
          </span>
        ))}
      </span>
    </header>
  );
}

interface MarksProps {
  readonly takeover: TakenOver | undefined;
  readonly scale: Scale;
  readonly now: number | undefined;
}

/** When the worker died, when the other took over, and now. */
function Marks({ takeover, scale, now: time }: MarksProps): JSX.Element {
  const nowAt = time === undefined ? undefined : scale.x(time);
  return (
    <div class="ov_" aria-hidden="true">
      {takeover !== undefined && <Between diedAt={scale.x(takeover.diedAt)} takenAt={scale.x(takeover.at)} />}
      {nowAt !== undefined && (
        <i class="now" style={{ left: percent(nowAt) }}>
          <b class={nowAt > 0.9 ? 'flip' : ''}>now</b>
        </i>
      )}
    </div>
  );
}

function Between({ diedAt, takenAt }: { readonly diedAt: number; readonly takenAt: number }): JSX.Element {
  return (
    <>
      {takenAt - diedAt > 0.14 && (
        <i class="lease" style={{ left: percent(diedAt), width: percent(takenAt - diedAt) }}>
          <b>no sign of life</b>
        </i>
      )}
      <i class="kill_" style={{ left: percent(diedAt) }}>
        <b class={[diedAt < 0.12 ? 'flip' : '', takenAt > 0.88 ? 'up' : ''].join(' ')}>
          <Icon name="skull" />
          died
        </b>
      </i>
      <i class="claim" style={{ left: percent(takenAt) }}>
        <b class={takenAt > 0.88 ? 'flip' : ''}>taken over</b>
      </i>
    </>
  );
}

const keys = { ok: 'executed', bad: 'failed try', kill: 'killed' } as const;

function percent(x: number): string {
  return `${Math.round(x * 10_000) / 100}%`;
}

interface RowsProps {
  readonly name: string;
  readonly fence: string | undefined;
  readonly spans: readonly Span[];
  readonly scale: Scale;
  readonly time: number;
}

function WorkerRows({ name, fence, spans, scale, time }: RowsProps): JSX.Element {
  const rows = [...grouped(spans, ({ node }) => node)].slice(-mostRows);
  return (
    <div class="w">
      <div class="wh">
        <Icon name="cpu" />
        <code>{name}</code>
        <span class="faint">{fence}</span>
      </div>
      {rows.length === 0 && <p class="quiet">It has written nothing yet.</p>}
      {rows.map(([node, own]) => (
        <div class="r" key={node}>
          <span class="n cut">{node}</span>
          <div class="t">
            {barsOf({ spans: own }, scale, time).map(({ kind, x0, x1, what }, index) => (
              <i
                key={index}
                class={`b ${kind}`}
                title={`${node}: ${what}`}
                style={{ left: percent(x0), width: percent(Math.max(0.004, x1 - x0)) }}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
