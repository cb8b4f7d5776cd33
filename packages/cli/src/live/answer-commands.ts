import type { Wait } from 'holdfast';

/** Says that a run is suspended, and which command continues it. */
export function suspendedHint(id: string): string {
  return `${id} is suspended. Continue it with: holdfast resume ${id}`;
}

/** The commands that end a run's waits. */
export function answerCommands(id: string, waits: readonly Wait[]): readonly string[] {
  return waits.flatMap((wait) => {
    switch (wait.kind) {
      case 'ask':
        return [`holdfast answer ${wait.runId === id ? id : wait.runId} ${wait.name}`];
      case 'effect':
        return [`holdfast settle ${id} ${wait.key} --retry | --result JSON | --error MESSAGE`];
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
