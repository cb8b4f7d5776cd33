import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { firstProgram, programEnv } from '../runner/program.ts';

/** FS_IOC_SHUTDOWN with FS_SHUTDOWN_FLAGS_NOLOGFLUSH: nothing that was not synced reaches the disk any more. */
const request = '0x8004587d';
const flag = 2;

/** Node has no ioctl. Both programs answer every path that they read with a line: empty, or what failed. */
const programs: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'perl',
    [
      '-e',
      `$| = 1; while (<STDIN>) { chomp; my $e = ""; my $v = pack("L", ${flag});
       if (open(my $f, "<", $_)) { $e = "$!" unless defined(ioctl($f, ${request}, $v)); close $f } else { $e = "$!" }
       print "$e\\n" }`,
    ],
  ],
  [
    'python3',
    [
      '-c',
      `import fcntl, os, struct, sys
for line in iter(sys.stdin.readline, ""):
    error = ""
    try:
        f = os.open(line.strip(), os.O_RDONLY)
        fcntl.ioctl(f, ${request}, struct.pack("I", ${flag}))
        os.close(f)
    except OSError as e:
        error = str(e)
    print(error, flush=True)`,
    ],
  ],
]);

/** The programs that can do it, the preferred one first. */
export const shutdownPrograms: readonly string[] = [...programs.keys()];

/** A process that cuts the power of a file system when it is told to; one for many cuts. */
export class ShutdownHelper {
  readonly #child: ChildProcess;
  readonly #answers: Interface;

  constructor() {
    const program = firstProgram(shutdownPrograms) ?? '';
    this.#child = spawn(program, programs.get(program) ?? [], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: programEnv,
    });
    if (this.#child.stdout === null) throw new Error('The helper has no output.');
    this.#answers = createInterface({ input: this.#child.stdout });
  }

  /** Cuts the power of the file system mounted there. */
  async shutDown(mountPoint: string): Promise<void> {
    const answer = once(this.#answers, 'line');
    this.#child.stdin?.write(`${mountPoint}\n`);
    const [failed] = (await answer) as [string];
    if (failed !== '') throw new Error(`The file system cannot be shut down: ${failed}`);
  }

  close(): void {
    this.#child.stdin?.end();
  }
}
