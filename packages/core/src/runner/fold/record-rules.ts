import type { NewEntry, RecordKind } from '../../record/record.ts';

/** Kinds that a commit may begin with: no record before them has to be written together with them. */
export const standsAlone: ReadonlySet<RecordKind> = new Set(['result', 'intent', 'emit', 'log']);

/** Whether a record of this kind changes the channels. */
export function changesValues({ kind }: NewEntry): boolean {
  return kind === 'superstep' || kind === 'run-start' || kind === 'turn' || kind === 'migrate';
}
