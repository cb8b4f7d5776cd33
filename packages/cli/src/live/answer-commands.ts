import type { Wait } from 'holdfast';
import { type Paste, shellWord } from '../program/paste.ts';

/** Says that a run is suspended, and which command continues it. */
export function suspendedHint(paste: Paste, id: string): string {
  return `${id} is suspended. Continue it with: ${paste(`resume ${shellWord(id)}`)}`;
}

/** Says that a run could continue, but no worker has its graph, and what to do. */
export function leftHints(
  paste: Paste,
  { id, left, due }: { readonly id: string; readonly left: string; readonly due: string },
): readonly string[] {
  return [
    `${left === id ? id : `${left}, a child of ${id}`}: ${due}, or all are busy. Start one with: ${paste('work')}`,
    `Keep waiting with: ${paste(`watch ${shellWord(id)} --until-end`)}`,
  ];
}

/** The command that settles an effect whose outcome is unknown. */
export function settleCommand(paste: Paste, id: string, key: string): string {
  return paste(`settle ${shellWord(id)} ${shellWord(key)} --retry | --result JSON | --error MESSAGE`);
}

/** The commands that end a run's waits. */
export function answerCommands(paste: Paste, id: string, waits: readonly Wait[]): readonly string[] {
  return waits.flatMap((wait) => {
    switch (wait.kind) {
      case 'ask':
        return [paste(`answer ${shellWord(wait.runId)} ${shellWord(wait.name)}`)];
      case 'effect':
        return [settleCommand(paste, id, wait.key)];
      case 'receive':
        return [paste(`send ${shellWord(id)} ${shellWord(wait.name)} JSON`)];
      case 'pause':
        return [paste(`resume ${shellWord(id)}`)];
      case 'child':
      case 'sleep':
        return [];
    }
  });
}
