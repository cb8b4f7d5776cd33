import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where programs are looked for, and found: what mounts things is mostly not on the path of a plain user. */
const directories: readonly string[] = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

/** The environment for a program of the system. */
export const programEnv: NodeJS.ProcessEnv = { ...process.env, PATH: directories.join(delimiter) };

/** The first of these programs that is there. */
export function firstProgram(names: readonly string[]): string | undefined {
  return names.find(isProgram);
}

/** Whether the program can be run. */
export function isProgram(name: string): boolean {
  return directories.some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
