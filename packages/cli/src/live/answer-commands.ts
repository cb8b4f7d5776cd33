import type { Wait } from 'holdfast';

/** That nobody executes a run, and the command that changes it. */
export function suspendedHint(id: string): string {
  return `${id} is suspended: holdfast resume ${id} continues it.`;
}

/** The commands that end the waits of a run. */
export function answerCommands(id: string, waits: readonly Wait[]): readonly string[] {
  return waits.flatMap((wait) => {
    switch (wait.kind) {
      case 'ask':
        return [`holdfast answer ${wait.runId === id ? id : wait.runId} ${wait.name}`];
      case 'effect':
        return [`holdfast settle ${id} ${wait.key} --retry | --result JSON | --error WHY`];
      case 'receive':
        return [`holdfast send ${id} ${wait.name} JSON`];
      case 'pause':
        return [`holdfast resume ${id}`];
      case 'child':
      case 'sleep':
        return [];
    }
  });
}
