import type { Context } from '../program/context.ts';

/** What was found: all is well, something to know, or something that will not work. */
export interface Finding {
  readonly name: string;
  readonly level: 'good' | 'fair' | 'bad';
  readonly what: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** One look at one thing. */
export interface Examination {
  readonly name: string;
  readonly examine: (context: Context) => Promise<Omit<Finding, 'name'>>;
}
