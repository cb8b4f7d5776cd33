import type { RunDetailsJson } from '@holdfast/server/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Story } from '../fold/story.ts';
import type { TreeRow } from '../history/fork-tree.ts';
import type { RunModel } from '../model/run-model.ts';

/** The panes. */
export type Pane = 'graph' | 'tree' | 'time' | 'insp';

/** The tabs of the inspector. */
export type Tab = 'question' | 'state' | 'diff' | 'journal' | 'logs' | 'error';

/** What the panes of a run share. */
export interface RunContext {
  readonly model: RunModel;
  readonly run: RunDetailsJson;
  readonly story: Story | undefined;
  /** Every row of the fork tree, newest first. */
  readonly rows: readonly TreeRow[];
  /** Those of this run and its ancestors. */
  readonly own: readonly TreeRow[];
  readonly selected: TreeRow | undefined;
  readonly select: (row: TreeRow) => void;
  readonly tab: Tab;
  readonly openTab: (tab: Tab) => void;
  /** The checkpoint that is marked for a diff. */
  readonly marked: string | undefined;
  readonly mark: (checkpoint: string | undefined) => void;
  /** Opens the fork dialog. */
  readonly fork: (given?: ForkStart) => void;
}

/** What a fork begins with, besides the selected checkpoint. */
export interface ForkStart {
  readonly checkpoint?: string | undefined;
  readonly label?: string | undefined;
  /** Given to the fork as soon as it exists. */
  readonly answer?: { readonly name: string; readonly value: unknown } | undefined;
}

export const RunScope: ReturnType<typeof createContext<RunContext | undefined>> = createContext<RunContext | undefined>(
  undefined,
);

/** What the panes share. */
export function useRunContext(): RunContext {
  const context = useContext(RunScope);
  if (context === undefined) throw new Error('A pane of a run is outside of its page.');
  return context;
}
