import type { Dice } from './dice.ts';
import type { Session } from './session.ts';

/** Something that a sequence does; the dice say with what. */
export type Command = (session: Session, dice: Dice) => Promise<void>;
