import type { Context } from '../program/context.ts';

/** The result of a check: fine, worth knowing, or broken. */
export interface Finding {
  readonly name: string;
  readonly level: 'good' | 'fair' | 'bad';
  readonly what: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** One check. */
export interface Examination {
  readonly name: string;
  readonly examine: (context: Context) => Promise<Omit<Finding, 'name'>>;
}
