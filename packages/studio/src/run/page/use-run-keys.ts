import { readOnlyReason } from '../../api/live.ts';
import { copy } from '../../part/copy/copy.tsx';
import { announce } from '../../shell/announce.ts';
import { type KeyAction, useKeys } from '../../shell/keys.ts';
import type { TreeRow } from '../history/fork-tree.ts';
import { branchBeside, failureBeside, rowBeside } from '../model/selection.ts';
import { useRunContext } from './run-context.ts';
import { mayResume, useResume } from './run-header.tsx';

/** The keys of the page. */
export function useRunKeys(): void {
  const context = useRunContext();
  const { rows, selected, select, openTab, story, run, fork, model } = context;
  const resume = useResume(context);
  const go = (row: TreeRow | undefined, none: string): void => (row === undefined ? announce(none) : select(row));
  const actions: readonly KeyAction[] = [
    {
      keys: 'j',
      label: 'checkpoint below',
      run: () => go(rowBeside(rows, selected, 1), 'That was the first checkpoint.'),
    },
    {
      keys: 'k',
      label: 'checkpoint above',
      run: () => go(rowBeside(rows, selected, -1), 'That was the newest checkpoint.'),
    },
    {
      keys: 'h',
      label: 'branch before',
      run: () => go(branchBeside(rows, { selected, by: -1, root: model.root }), 'There is no branch before this one.'),
    },
    {
      keys: 'l',
      label: 'next branch',
      run: () => go(branchBeside(rows, { selected, by: 1, root: model.root }), 'There is no further branch.'),
    },
    {
      keys: '[',
      label: 'failure before',
      run: () => go(failureBeside(rows, { story, selected, by: 1 }), 'Nothing failed before this.'),
    },
    {
      keys: ']',
      label: 'next failure',
      run: () => go(failureBeside(rows, { story, selected, by: -1 }), 'Nothing failed after this.'),
    },
    { keys: 's', label: 'state', run: () => openTab('state') },
    { keys: 'd', label: 'diff', run: () => openTab('diff') },
    { keys: 'J', label: 'journal', run: () => openTab('journal') },
    { keys: 'v', label: 'mark for diff', run: () => toggleMark(context) },
    { keys: 'f', label: 'fork from here', run: () => write(() => fork()) },
    {
      keys: 'r',
      label: 'resume',
      run: () =>
        write(() =>
          mayResume(run.status)
            ? void resume.give()
            : announce(`The run is ${run.status}: there is nothing to resume.`),
        ),
    },
    { keys: 'a', label: 'answer', run: () => openTab('question') },
    {
      keys: 'y',
      label: 'copy the id',
      run: () => void copy(selected?.checkpoint ?? run.id, selected?.checkpoint ?? run.id),
    },
  ];
  useKeys('This run', actions);
}

/** Marks the selected checkpoint, or takes the mark away. Another one that is selected then is compared with it. */
export function toggleMark({
  selected,
  marked,
  mark,
}: Pick<ReturnType<typeof useRunContext>, 'selected' | 'marked' | 'mark'>): void {
  if (selected === undefined) return;
  const isSame = marked === selected.checkpoint;
  mark(isSame ? undefined : selected.checkpoint);
  announce(isSame ? 'Took the mark away.' : `Marked ${selected.checkpoint}. Select another checkpoint to compare.`);
}

/** Does what changes something, unless nothing can be changed. */
function write(act: () => void): void {
  if (readOnlyReason.value === undefined) act();
  else announce(readOnlyReason.value);
}
