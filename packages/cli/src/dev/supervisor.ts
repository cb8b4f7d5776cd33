import { setTimeout as sleep } from 'node:timers/promises';
import { FileWatcher } from './file-watcher.ts';
import { type WorkerEnd, WorkerProcess } from './worker-process.ts';

/** What `dev` reports. */
export type News =
  | { readonly type: 'ready'; readonly graphs: readonly string[]; readonly pid: number }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'changed'; readonly file: string }
  | { readonly type: 'died'; readonly how: string }
  | { readonly type: 'line'; readonly line: string };

interface SupervisorOptions {
  readonly store: string;
  readonly files: readonly string[];
  readonly concurrency: string | undefined;
}

/** The longest pause before a restart, so that a worker which dies at once does not restart in a tight loop. */
const mostPauseMs = 5_000;

/** Keeps a worker running: restarts it when it dies and when a file changes. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #tell: (news: News) => void;
  #worker: WorkerProcess | undefined;
  #onReady: () => void = () => undefined;
  readonly #ready: Promise<void> = new Promise((resolve) => {
    this.#onReady = resolve;
  });

  constructor(options: SupervisorOptions, tell: (news: News) => void) {
    this.#options = options;
    this.#tell = tell;
  }

  /** Resolves when the code has loaded for the first time, or the signal aborts. */
  async firstReady(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await Promise.race([
      this.#ready,
      new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
    ]);
  }

  /** Runs until the signal aborts and the last worker has exited. */
  async run(signal: AbortSignal): Promise<void> {
    let changed = nextTime();
    using watcher = new FileWatcher((file) => {
      this.#tell({ type: 'changed', file });
      changed.happen();
    });
    const aborted = nextTime();
    signal.addEventListener('abort', aborted.happen, { once: true });
    for (const file of this.#options.files) watcher.add(file);
    let pauseMs = 0;
    while (!signal.aborted) {
      changed = nextTime();
      const startedAt = performance.now();
      const life: Life = { hasError: false };
      const worker = this.#start(watcher, life);
      const end = await Promise.race([worker.ended, changed.happened, aborted.happened]);
      if (end === undefined) {
        await worker.stop();
        continue;
      }
      if (life.hasError) {
        await Promise.race([changed.happened, aborted.happened]);
        continue;
      }
      this.#tell({ type: 'died', how: howOf(end) });
      pauseMs = performance.now() - startedAt > mostPauseMs ? 0 : Math.min(mostPauseMs, pauseMs * 2 + 100);
      await Promise.race([sleep(pauseMs), changed.happened, aborted.happened]);
    }
  }

  /** Kills the worker. */
  kill(): void {
    this.#worker?.kill();
  }

  #start(watcher: FileWatcher, life: Life): WorkerProcess {
    const worker = new WorkerProcess({
      ...this.#options,
      onLine: (line) => this.#tell({ type: 'line', line }),
      onMessage: (message) => {
        if (message.type === 'file') return watcher.add(message.file);
        if (message.type === 'error') life.hasError = true;
        if (message.type === 'error') return this.#tell(message);
        this.#tell({ ...message, pid: worker.pid ?? 0 });
        this.#onReady();
      },
    });
    this.#worker = worker;
    return worker;
  }
}

interface Life {
  hasError: boolean;
}

function howOf({ code, signal }: WorkerEnd): string {
  return signal ?? `exit code ${code}`;
}

/** An event that happens once. */
function nextTime(): { readonly happened: Promise<undefined>; readonly happen: () => void } {
  let happen: (() => void) | undefined;
  const happened = new Promise<undefined>((resolve) => {
    happen = () => resolve(undefined);
  });
  return { happened, happen: () => happen?.() };
}
