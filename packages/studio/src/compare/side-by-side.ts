import type { ChangeJson } from '@holdfast/server/client';

/** The changes of a channel. */
export interface ChangedChannel {
  readonly name: string;
  /** What became of it as a whole. */
  readonly op: '+' | '-' | '~';
  readonly changes: readonly ChangeJson[];
}

const signs = { add: '+', remove: '-', replace: '~' } as const;

/** Changes by the channel that they are in, in the order in which the channels first change. */
export function channelsOf(changes: readonly ChangeJson[]): readonly ChangedChannel[] {
  const channels = new Map<string, ChangeJson[]>();
  for (const change of changes) {
    const name = channelOf(change.path);
    channels.set(name, [...(channels.get(name) ?? []), change]);
  }
  return Array.from(channels, ([name, own]) => {
    const [first] = own;
    const isSame = first !== undefined && own.every(({ op }) => op === first.op);
    return { name, op: isSame ? signs[first.op] : '~', changes: own };
  });
}

/** The channel of a JSON pointer: `/decision/cents` is in `decision`. */
function channelOf(path: string): string {
  const [, name = ''] = path.split('/');
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A pointer as one reads it: without the slash of the channel that its heading names. */
export function pathInside(path: string): string {
  return path.split('/').slice(2).join('/').replaceAll('~1', '/').replaceAll('~0', '~');
}
