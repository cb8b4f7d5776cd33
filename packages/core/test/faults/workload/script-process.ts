import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtScript } from '../runner/built-script.ts';
import { onEnd } from '../runner/clean-up.ts';
import { type AnyLine, LineReader } from './line.ts';

type LineType = AnyLine['type'];

/** A process of ours that says what it does, and that is stopped, continued and killed. */
export class ScriptProcess {
  readonly #child: ChildProcess;
  readonly #reader: LineReader;
  readonly #exit: Promise<unknown>;
  #waiting: { readonly types: readonly LineType[]; times: number; readonly resolve: () => void } | undefined;
  #errors = '';

  /** Starts a compiled script of this folder, with its orders as its only argument. */
  constructor(script: string, orders?: unknown) {
    const values = orders === undefined ? [] : [JSON.stringify(orders)];
    this.#child = spawn(process.execPath, [builtScript(script), ...values], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#reader = new LineReader((line) => this.#notice(line));
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#reader.add(chunk));
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errors = (this.#errors + chunk).slice(-2_000);
    });
    // A write to a process that has died is no news: its exit is.
    this.#child.stdin?.on('error', () => {});
    this.#exit = once(this.#child, 'close');
    // A stopped process would not see that its parent is gone.
    const forget = onEnd(() => this.#child.kill('SIGKILL'));
    this.#exit.finally(forget).catch(() => {});
  }

  /** What it said up to now. */
  get lines(): readonly AnyLine[] {
    return this.#reader.lines;
  }

  /** The last that it wrote to its error output. */
  get errors(): string {
    return this.#errors;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Gives it orders, a line of JSON. */
  order(orders: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(orders)}\n`);
  }

  /** Resolves when it has said so many such lines, or has ended. */
  said(type: LineType, times = 1): Promise<void> {
    return this.#said([type], times);
  }

  /** Resolves when it has said such a line so many times more, or has ended. */
  saidAgain(type: LineType, times = 1): Promise<void> {
    return this.#said([type], times + this.lines.filter((line) => line.type === type).length);
  }

  /** Resolves when it has said whether it could open its store, or has ended. */
  answered(): Promise<void> {
    return this.#said(['open', 'fault'], 1);
  }

  /** Stops it where it is, without ending it. */
  stop(): void {
    this.#child.kill('SIGSTOP');
  }

  continue(): void {
    this.#child.kill('SIGCONT');
  }

  /** Ends its input and resolves when it has ended. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#exit;
  }

  /** Kills it and resolves when all that it said has been read. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }

  /** How it ended, when it was not killed; undefined while it runs. */
  get failure(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && (signalCode === null || signalCode === 'SIGKILL')) return undefined;
    return `the process ended by itself (${exitCode ?? signalCode}) ${this.#errors}`;
  }

  async #said(types: readonly LineType[], times: number): Promise<void> {
    const left = times - this.lines.filter(({ type }) => types.includes(type)).length;
    if (left <= 0) return;
    const said = new Promise<void>((resolve) => {
      this.#waiting = { types, times: left, resolve };
    });
    await Promise.race([said, this.#exit]);
  }

  #notice({ type }: AnyLine): void {
    const waiting = this.#waiting;
    if (waiting === undefined || !waiting.types.includes(type)) return;
    waiting.times -= 1;
    if (waiting.times === 0) waiting.resolve();
  }
}
