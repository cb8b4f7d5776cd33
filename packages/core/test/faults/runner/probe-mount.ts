import { truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandAtOnce, lastCommand } from './command.ts';
import { clearWorkspace, newWorkspace } from './workspace.ts';

const loopBytes = 1_048_576;

/** Why nothing can be mounted here; undefined where it can. Tried once. */
export const mountRefused: () => string | undefined = once('the right to mount (CAP_SYS_ADMIN)', (directory) => {
  commandAtOnce('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory);
  commandAtOnce('umount', directory);
});

/** Why no file can be a disk here; undefined where it can. Tried once. */
export const loopRefused: () => string | undefined = once('loop devices that can be attached', (directory) => {
  const image = join(directory, 'image');
  writeFileSync(image, '');
  truncateSync(image, loopBytes);
  const device = commandAtOnce('losetup', '--find', '--show', image);
  lastCommand('losetup', '--detach', device);
});

/** Tries something in a directory of its own, the first time that it is asked. */
function once(what: string, attempt: (directory: string) => void): () => string | undefined {
  let refusal: string | undefined;
  let isTried = false;
  return () => {
    if (isTried) return refusal;
    isTried = true;
    const directory = newWorkspace(tmpdir());
    try {
      attempt(directory);
    } catch (error) {
      // The first line is the command, the second what the program says.
      const [command, answer = command] = (error instanceof Error ? error.message : String(error)).split('\n');
      refusal = `${what}; ${answer?.trim()}`;
    } finally {
      clearWorkspace(directory);
    }
    return refusal;
  };
}
