import type { Env } from '../../../env/env.ts';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import { missingRecord } from '../../../store/open-run.ts';
import { checkOptions, invalidOption } from '../../../value/check/check-options.ts';
import type { Changes, Watch } from '../../changes.ts';
import type { EventsOptions, RunEvent } from '../../graph-run.ts';
import type { LiveBus } from './live-bus.ts';
import { RunReaders } from './run-readers.ts';

interface StreamOptions extends EventsOptions {
  /** As the reader gave them. */
  readonly asked: EventsOptions;
  readonly store: CheckedStore;
  readonly env: Env;
  readonly changes: Changes;
  readonly live: LiveBus;
  /** The run's header when reading begins. */
  readonly find: () => Promise<RunHeader>;
  /** Whether the run has ended or needs input to continue. */
  readonly isIdle: (header: RunHeader, onChild: (child: string) => void) => Promise<boolean>;
}

/**
 * The events of a run: first from its journal, then live. Journalled events have no gaps and no duplicates. A slow reader
 * never delays the run, and reading never starts it.
 */
export async function* streamEvents(options: StreamOptions): AsyncGenerator<RunEvent> {
  checkAsked(options.asked);
  const { store, changes, signal } = options;
  const readers = await RunReaders.open(options, await options.find());
  const { runId } = readers;
  let stuckAt: number | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const attention = changes.watch(runId);
      for (const child of readers.childIds) attention.also(child);
      const found = await store.header(runId);
      if (found === undefined) return attention.forget();
      const before = readers.head;
      let hasNew = false;
      for await (const event of readers.read(found)) {
        hasNew = true;
        yield event;
      }
      if (hasNew || readers.head < found.head) {
        attention.forget();
        const isStuck: boolean = readers.head === before && readers.head < found.head;
        // Someone may have deleted the run since. Otherwise records are there before a header says so.
        if (isStuck && stuckAt === found.head) throw missingRecord(runId, before + 1);
        stuckAt = isStuck ? found.head : undefined;
        continue;
      }
      if (await isOver(options, readers, found, attention)) return attention.forget();
      await attention.next({ or: readers.next(), atMostMs: waitMs(options, found), signal });
    }
  } finally {
    readers.close();
  }
}

function checkAsked(asked: EventsOptions): void {
  const { until } = checkOptions('events()', asked, { after: true, children: true, until: true, signal: true });
  if (until === undefined || until === 'end' || until === 'idle') return;
  throw invalidOption('until', "The until of events() must be 'end' or 'idle'.");
}

function waitMs({ env }: StreamOptions, { wakeAt }: RunHeader): number | undefined {
  if (wakeAt === null) return undefined;
  const ms = wakeAt - env.clock.now();
  return ms > 0 ? ms : undefined;
}

async function isOver(
  { isIdle, until }: StreamOptions,
  { hasEnded }: RunReaders,
  header: RunHeader,
  { also }: Watch,
): Promise<boolean> {
  return hasEnded || (until === 'idle' && (await isIdle(header, also)));
}
