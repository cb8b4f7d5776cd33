import type { LeaseJson, RunDetailsJson } from '@holdfast/server/client';
import type { ComponentChildren, JSX } from 'preact';
import { now } from '../../api/live.ts';
import { cutId } from '../../format/id.ts';
import { count, counted } from '../../format/number.ts';
import { ago, duration, exact, until as untilText } from '../../format/time.ts';
import { RunLink } from '../../part/run-id.tsx';
import { hrefTo } from '../../shell/router.ts';
import type { Story } from '../fold/story.ts';

/** What there is to know about a run, in one row. */
export function RunFacts({
  run,
  story,
}: {
  readonly run: RunDetailsJson;
  readonly story: Story | undefined;
}): JSX.Element {
  const activeMs = (story?.activeMs ?? 0) + openMs(run, story, now.value);
  return (
    <dl class="facts">
      <Fact name="graph">
        <a class="link" href={hrefTo(['graphs', run.graph])}>
          {run.graph}
        </a>{' '}
        v{run.version}
      </Fact>
      {run.kind === 'graph' && <Fact name="worker">{workerText(run)}</Fact>}
      {run.lease !== null && (
        <Fact name="lease">
          <Lease lease={run.lease} />
        </Fact>
      )}
      <Fact name="step">
        {count(run.superstep)}, journal to <code>@{run.head}</code>
      </Fact>
      <Fact name="started">
        <time dateTime={run.createdAt} title={exact(run.createdAt)}>
          {ago(run.createdAt, now.value)}
        </time>
      </Fact>
      {activeMs > 0 && <Fact name="active">{duration(activeMs, { isRunning: run.status === 'running' })}</Fact>}
      {run.parentId !== null && (
        <Fact name="part of">
          <RunLink runId={run.parentId} class="link mono" />
        </Fact>
      )}
      {run.forkedAt !== null && (
        <Fact name="forked at">
          <ForkedAt at={run.forkedAt} />
        </Fact>
      )}
      <Tags tags={run.tags} />
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Lease({ lease: { fence, until } }: { readonly lease: LeaseJson }): JSX.Element {
  if (until === null) return <span class="c-failed">its worker has died, fence {fence}</span>;
  return <>held, fence {fence}</>;
}

function ForkedAt({ at }: { readonly at: string }): JSX.Element {
  const [, runId = at, seq = ''] = /^(.*)@(\d+)$/u.exec(at) ?? [];
  return (
    <a class="link mono" href={hrefTo(['runs', runId], { at: seq })} title={at}>
      {cutId(runId)}@{seq}
    </a>
  );
}

function Tags({ tags }: Pick<RunDetailsJson, 'tags'>): JSX.Element | null {
  const entries = Object.entries(tags);
  if (entries.length === 0) return null;
  return (
    <Fact name="tags">
      {entries.map(([name, value]) => (
        <span class="tag" key={name}>
          {name}={value}
        </span>
      ))}
    </Fact>
  );
}

function workerText({ worker, status }: RunDetailsJson): ComponentChildren {
  if (worker !== null) return <code>{worker}</code>;
  if (status === 'running' || status === 'pending') return 'none yet';
  return 'none, none is needed';
}

/** The time of what is executed right now. */
function openMs({ status }: RunDetailsJson, story: Story | undefined, time: number): number {
  if (status !== 'running') return 0;
  return (story?.spans ?? []).reduce(
    (sum, { kind, to, from }) => (kind === 'run' && to === undefined ? sum + Math.max(0, time - from) : sum),
    0,
  );
}

/** Where a run is, in a few words: what it executes, waits for, or failed of. */
export function whereText(run: RunDetailsJson, story: Story | undefined): string {
  const asks = run.open.filter(({ kind }) => kind === 'ask').length;
  const open = (story?.tasks ?? []).filter(({ to }) => to === undefined);
  switch (run.status) {
    case 'waiting':
      return asks > 0 ? `for you: ${counted(asks, 'question')} ${asks === 1 ? 'is' : 'are'} open` : waitingText(run);
    case 'running':
      return open.length > 0
        ? `in ${open
            .map(({ node }) => node)
            .slice(0, 3)
            .join(', ')}`
        : '';
    case 'pending':
      return 'a worker has not begun it yet';
    case 'suspended':
      return `${run.next.length > 0 ? `before ${run.next.join(', ')}` : ''}, until somebody resumes it`.replace(
        /^, /u,
        '',
      );
    case 'failed':
      return story?.end?.error?.message ?? 'see Error';
    case 'cancelled':
      return run.reason ?? '';
    case 'completed':
      return '';
  }
}

function waitingText({ waits, open, wakeAt }: RunDetailsJson): string {
  const [wait] = waits;
  if (wait === undefined) return '';
  const due = open[0]?.until ?? (wait.kind === 'sleep' ? wakeAt : null);
  switch (wait.kind) {
    case 'sleep':
      return due === null || due === undefined ? 'until a date' : `until ${exact(due)}, ${untilText(due, now.value)}`;
    case 'receive':
      return `for the message ${wait.name}`;
    case 'pause':
      return `paused at ${wait.name}`;
    case 'child':
      // The run of a graph inside has the name of its node.
      return `for ${wait.name === '.graph' ? (open[0]?.node ?? 'an inner graph') : wait.name}`;
    case 'effect':
      return `for you: did ${wait.name} happen?`;
    case 'ask':
      return `for an answer to ${wait.name}`;
  }
}
