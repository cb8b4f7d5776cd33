/**
 * What can be wrong with a store after a fault. `lost`: an acknowledged change is not there. `partial`: a part of a
 * commit is there. `altered`: something else is there than was written. `unusable`: it cannot be opened, read or
 * written. `promise`: it answered something that it must not.
 */
export type ViolationKind = 'lost' | 'partial' | 'altered' | 'unusable' | 'promise';

/** One broken promise, and where it was seen. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly what: string;
}
