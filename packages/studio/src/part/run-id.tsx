import type { JSX } from 'preact';
import { cutId } from '../format/id.ts';
import { hrefTo } from '../shell/router.ts';

/** The id of a run, or of one of its checkpoints, as a link to it. */
export function RunLink({
  runId,
  at,
  class: className = 'mono med',
}: {
  readonly runId: string;
  readonly at?: number | undefined;
  readonly class?: string;
}): JSX.Element {
  const isCheckpoint = at !== undefined;
  return (
    <a
      class={`${className} nowrap`}
      href={hrefTo(['runs', runId], { at: at?.toString() })}
      title={isCheckpoint ? `${runId}@${at}` : runId}
    >
      {cutId(runId)}
      {isCheckpoint && `@${at}`}
    </a>
  );
}
