import { type ChildProcess, fork } from 'node:child_process';
import type { Finding } from './finding.ts';

/** A case that takes longer hangs, unless it is told otherwise. */
const defaultWatchdogMs = 2_000;
/** A process is replaced after so many cases, so that what one leaves behind does not add up. */
const casesPerProcess = 400;
/** Enough for any case, and little enough that one which eats memory ends. */
const memoryMb = 512;

/** A process starts in a second, and on a busy machine in a minute. */
const startMs = 600_000;

/** How much longer the second try may take: by then, what counts is the time that the processor spent on it. */
const secondTry = 15;

interface Answer {
  readonly ready?: boolean;
  readonly findings?: readonly Finding[];
  /** The processor time that the case took. */
  readonly cpuMs?: number;
}

/** Runs cases in a process of its own, which is ended and replaced when a case hangs. */
export class LaneProcess {
  readonly #program: string;
  readonly #watchdogMs: number;
  #child: ChildProcess | undefined;
  #cases = 0;

  constructor(program: string, watchdogMs: number = defaultWatchdogMs) {
    this.#program = program;
    this.#watchdogMs = watchdogMs;
  }

  /**
   * What the case found. One that hangs gets a second try in a new process, with more time: it counts if it hangs again, or
   * if it keeps the processor busy for longer than the watchdog allows. A busy machine is no finding.
   */
  async run(harness: string, seed: number): Promise<readonly Finding[]> {
    const first = await this.#try(harness, seed, this.#watchdogMs);
    if (!isEnd(first.findings)) return first.findings ?? [];
    const { findings = [], cpuMs = 0 } = await this.#try(harness, seed, this.#watchdogMs * secondTry);
    if (cpuMs < this.#watchdogMs) return findings;
    return [...findings, { kind: 'hang', what: `it took ${Math.round(cpuMs)} ms of the processor` }];
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #try(harness: string, seed: number, withinMs: number): Promise<Answer> {
    if (this.#cases >= casesPerProcess) this.close();
    const child = this.#child ?? (await this.#start());
    this.#cases += 1;
    const answer = this.#answer(child, withinMs);
    child.send({ harness, seed });
    return answer;
  }

  async #start(): Promise<ChildProcess> {
    const execArgv = [`--max-old-space-size=${memoryMb}`, '--no-warnings'];
    const child = fork(this.#program, [], { execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#child = child;
    this.#cases = 0;
    const { ready } = await this.#answer(child, startMs);
    if (ready !== true) throw new Error(`${this.#program} does not start`);
    return child;
  }

  #answer(child: ChildProcess, withinMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      const end = (finding: Finding): void => {
        this.close();
        settle({ findings: [finding] });
      };
      const onExit = (code: number | null, signal: string | null): void =>
        end({ kind: 'crash', what: `the process ended with ${code ?? signal}` });
      const timer = setTimeout(() => end({ kind: 'hang', what: `no answer within ${withinMs} ms` }), withinMs);
      const settle = (answer: Answer): void => {
        clearTimeout(timer);
        child.off('exit', onExit);
        child.off('message', settle);
        resolve(answer);
      };
      child.on('exit', onExit);
      child.on('message', settle);
    });
  }
}

function isEnd(findings: readonly Finding[] = []): boolean {
  return findings.some(({ kind }) => kind === 'hang' || kind === 'crash');
}
