/** The argument of a step's function. */
export interface StepCallInfo {
  readonly signal: AbortSignal;
  readonly key: string;
  readonly attempt: number;
  readonly emit: (data: unknown) => void;
}
