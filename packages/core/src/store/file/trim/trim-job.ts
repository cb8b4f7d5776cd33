import type { TrimPlan } from '../../contract/retention.ts';
import type { FileRunState } from '../run/file-run-state.ts';
import type { RunPlace } from '../run/run-place.ts';
import type { StoreParts } from '../store-parts.ts';
import type { PlannedTrim } from './trim-plan.ts';

/** A plan that is carried out. */
export interface TrimJob {
  readonly parts: StoreParts;
  readonly plan: TrimPlan;
  readonly state: FileRunState;
  readonly planned: PlannedTrim;
  readonly place: RunPlace;
}
