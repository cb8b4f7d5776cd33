import type { RunJson } from '@holdfast/server/client';
import type { Story, TaskStory } from './story.ts';

/**
 * A journal does not say whether its next tasks have begun. Of a run that waits for a worker or for a person to resume it,
 * they have not: nothing is executed.
 */
export function atRest(story: Story, status: RunJson['status']): Story {
  if (status !== 'pending' && status !== 'suspended') return story;
  return {
    ...story,
    tasks: story.tasks.flatMap((task) => {
      if (task.to !== undefined || task.status === 'waiting') return [task];
      return isUntouched(task) ? [] : [{ ...task, status: 'suspended' as const }];
    }),
    spans: story.spans.filter(({ kind, end }) => kind !== 'run' || end !== 'open'),
  };
}

function isUntouched({ activeMs, failures }: TaskStory): boolean {
  return activeMs === 0 && failures === 0;
}
