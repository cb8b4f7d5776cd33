import type { Change } from 'holdfast';
import type { ChangeJson } from '../schema/types.ts';
import { type Place, pointerKeys, type Redactor } from './redact.ts';

/** A difference between two states as JSON. */
export function changeJson({ op, path, before, after }: Change, redactor: Redactor): ChangeJson {
  const place = ['state', ...(pointerKeys(path) ?? [])] as unknown as Place;
  const show = (value: unknown) => redactor.value(place, value);
  return {
    op,
    path,
    ...(before !== undefined && { before: show(before) }),
    ...(after !== undefined && { after: show(after) }),
  };
}
