/** From when to when something took, by the clock that all processes of the machine share. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
