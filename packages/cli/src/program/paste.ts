import { delimiter, dirname, sep } from 'node:path';
import { shownStore } from '../output/shown-store.ts';

/** Writes a command as it has to be typed here to do what a hint says: `npx holdfast resume ord_81 --store file:runs`. */
export type Paste = (command: string, own?: Choice) => string;

/** What the user typed to choose the store and the code. */
interface Choice {
  readonly store?: string;
  readonly graphs?: readonly string[];
}

interface PasteOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The file that was called. */
  readonly program: string;
  /** Repeated in every command that needs them. */
  readonly options: Choice;
}

const withoutStore: ReadonlySet<string> = new Set(['init', 'demo']);
const withCode: ReadonlySet<string> = new Set(['run', 'submit', 'work', 'recover', 'answer', 'send', 'fork']);

/** Repeats what the user typed to choose the program, the store and the files; a password is left for the user to fill in. */
export function pasteFor({ env, program, options }: PasteOptions): Paste {
  const name = needsNpx(env, program) ? 'npx holdfast' : 'holdfast';
  return (command, own = {}) => {
    const { store, graphs = [] } = { ...options, ...own };
    const [verb = ''] = command.split(' ', 1);
    const flags = [
      ...(store === undefined || withoutStore.has(verb) ? [] : ['--store', shownStore(store)]),
      ...(withCode.has(verb) ? graphs.flatMap((file) => ['-g', file]) : []),
    ];
    return [name, command, ...flags.map(shellWord)].join(' ');
  };
}

/** Called by npm, or in a node_modules that is not in the PATH. */
function needsNpx(env: NodeJS.ProcessEnv, program: string): boolean {
  if (env['npm_execpath'] !== undefined) return true;
  const folder = dirname(program);
  return folder.split(sep).includes('node_modules') && !(env['PATH'] ?? '').split(delimiter).includes(folder);
}

/** Quotes a word if a shell would not take it as it is. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
