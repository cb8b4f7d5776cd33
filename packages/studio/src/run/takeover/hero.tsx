import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { now } from '../../api/live.ts';
import { ago, clock, duration } from '../../format/time.ts';
import { Icon } from '../../part/icon.tsx';
import type { TakenOver } from '../fold/story.ts';
import { isOver } from '../model/run-model.ts';
import { type RunContext, useRunContext } from '../page/run-context.ts';
import type { Comparison } from './compare-workers.ts';
import { isLate, type LeaseState, leaseOf } from './lease-state.ts';

/** What happened, in a sentence, and what it came to in four numbers. */
export function Hero({
  takeover,
  comparison,
  lease,
  isDead,
}: {
  readonly takeover: TakenOver | undefined;
  readonly comparison: Comparison;
  readonly lease: LeaseState | undefined;
  readonly isDead: boolean;
}): JSX.Element {
  const isTold = takeover !== undefined && !isDead;
  return (
    <section class="hero card" aria-live="polite">
      <div class="row hb">
        {isDead && lease !== undefined ? <LeaseRing lease={lease} /> : <DoneRing isDone={isTold} />}
        <div class="grow">
          {isDead && lease !== undefined ? (
            <Dying lease={lease} />
          ) : takeover === undefined ? (
            <Healthy lease={lease} />
          ) : (
            <Told takeover={takeover} comparison={comparison} />
          )}
        </div>
      </div>
      {(isTold || isDead) && (
        <dl class="sum">
          <Sum count={comparison.kept} what="kept" />
          <Sum count={comparison.replayed} what="replayed" />
          <Sum count={comparison.again} what={isDead ? 'to execute again' : 'executed again'} />
          <Sum count={comparison.twice} what="ran twice" isGood={comparison.twice === 0} />
        </dl>
      )}
    </section>
  );
}

function Sum({
  count,
  what,
  isGood = false,
}: {
  readonly count: number;
  readonly what: string;
  readonly isGood?: boolean;
}): JSX.Element {
  return (
    <div class={isGood ? 'z' : ''}>
      <dt>{what}</dt>
      <dd>{count.toLocaleString('en-US')}</dd>
    </div>
  );
}

function Told({
  takeover,
  comparison,
}: {
  readonly takeover: TakenOver;
  readonly comparison: Comparison;
}): JSX.Element {
  const { from, by, at, diedAt, noticed, fence } = takeover;
  const worker = from === undefined ? 'The worker' : <code>{from}</code>;
  const gap = at - diedAt;
  const when =
    noticed === 'death' ? 'as soon as its death was noticed' : `${duration(gap)} after its last sign of life`;
  return (
    <>
      <h2>
        Taken over {when}.{' '}
        {comparison.twice === 0
          ? 'Nothing that had finished ran twice.'
          : `${comparison.twice} calls have two results: run holdfast verify.`}
      </h2>
      <p class="muted">
        {worker} {noticedText(noticed)} At {clock(at)}, <code>{by}</code> claimed the run with fence {fence} and
        continued from the journal. A commit with an older fence is refused from then on.
      </p>
    </>
  );
}

function noticedText(noticed: TakenOver['noticed']): string {
  if (noticed === 'death') return 'died: the store noticed that its process or its connection was gone.';
  if (noticed === 'lease') return 'stopped renewing its lease, which has ended.';
  return 'died.';
}

function Dying({ lease }: { readonly lease: LeaseState }): JSX.Element {
  const { story } = useRunContext();
  const left = lease.leftMs;
  return (
    <>
      <h2>
        {left === undefined
          ? 'The worker has died. The next worker that looks takes the run over.'
          : 'The worker stopped answering. Another one takes the run over when its lease ends.'}
      </h2>
      <p class="muted">
        <code>{lease.worker}</code> has the lease, with fence {lease.fence}.{' '}
        {(story?.lastSeq ?? 0).toLocaleString('en-US')} records are committed; what was in flight is executed again.
        Nothing to do{left === undefined ? ', as long as a worker with the code is running' : ''}.
      </p>
    </>
  );
}

function Healthy({ lease }: { readonly lease: LeaseState | undefined }): JSX.Element {
  const { run } = useRunContext();
  if (isOver(run))
    return (
      <>
        <h2>No worker died while this run was executed.</h2>
        <p class="muted">
          {endText(run.status)} {ago(run.updatedAt, now.value)}. Its journal would tell of a takeover.
        </p>
      </>
    );
  return (
    <>
      <h2>
        {lease === undefined
          ? 'No worker executes this run right now.'
          : 'The worker is alive. No takeover has been needed.'}
      </h2>
      <p class="muted">
        {lease === undefined ? (
          'It waits, or no worker has taken it yet.'
        ) : (
          <>
            <code>{lease.worker}</code> executes it with fence {lease.fence}. Kill it and watch: this page shows how
            that is noticed.
          </>
        )}
      </p>
    </>
  );
}

function endText(status: string): string {
  return status === 'cancelled' ? 'It was cancelled' : `It ${status}`;
}

function DoneRing({ isDone }: { readonly isDone: boolean }): JSX.Element {
  return (
    <div class={`ring${isDone ? ' done' : ''}`} aria-hidden="true">
      <svg viewBox="0 0 72 72" fill="none" stroke-width="5">
        <circle cx="36" cy="36" r="31" />
      </svg>
      <div>
        <b>
          <Icon name={isDone ? 'check' : 'cpu'} />
        </b>
      </div>
    </div>
  );
}

const circumference = 194.8;

function LeaseRing({ lease: { leftMs, lengthMs } }: { readonly lease: LeaseState }): JSX.Element {
  const share = leftMs === undefined || lengthMs === undefined ? 0 : Math.min(1, leftMs / lengthMs);
  return (
    <div class="ring" role="timer">
      <svg viewBox="0 0 72 72" fill="none" stroke-width="5" aria-hidden="true">
        <circle cx="36" cy="36" r="31" />
        {share > 0 && (
          <circle
            class="left"
            cx="36"
            cy="36"
            r="31"
            stroke-dasharray={`${(share * circumference).toFixed(1)} ${circumference}`}
            transform="rotate(-90 36 36)"
          />
        )}
      </svg>
      <div>
        <b>{leftMs === undefined ? <Icon name="skull" /> : duration(leftMs, { isRunning: true })}</b>
        {lengthMs !== undefined && leftMs !== undefined && <span>of {duration(lengthMs)}</span>}
      </div>
    </div>
  );
}

const drawMs = 100;

/** The lease, with how long it lasts when it is new. A countdown: the one thing that is drawn again ten times a second. */
export function useLease({ run, model }: Pick<RunContext, 'run' | 'model'>): LeaseState | undefined {
  const longest = useRef<number | undefined>(undefined);
  const [, draw] = useState(0);
  const lookedAt = model.lookedAt.value;
  const lease = leaseOf(run, { now: Date.now(), lookedAt, lengthMs: longest.current });
  if (lease?.leftThenMs !== undefined) longest.current = Math.max(longest.current ?? 0, lease.leftThenMs);
  const isCounting = lease !== undefined && isLate(lease);
  useEffect(() => {
    if (!isCounting) return undefined;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timer = setInterval(() => draw((before) => before + 1), isCalm ? 1_000 : drawMs);
    return () => clearInterval(timer);
  }, [isCounting]);
  return lease;
}
