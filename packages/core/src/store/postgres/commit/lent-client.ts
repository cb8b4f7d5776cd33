import { holdfastError } from '../../../errors/holdfast-error.ts';
import type { PostgresClient } from '../connection/pool.ts';

/** A client that someone else may use for a while. */
interface LentClient {
  readonly client: PostgresClient;
  /** From now on it does nothing: the connection belongs to others. */
  readonly end: () => void;
}

/** Lends a connection of a pool. Whoever has it cannot release it, nor use it when the time is over. */
export function lentClient(owned: PostgresClient): LentClient {
  let isOver = false;
  const client = new Proxy(owned, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        if (isOver || name === 'release') throw notYours(String(name));
        return member.apply(target, given) as unknown;
      };
    },
  });
  return {
    client,
    end: () => {
      isOver = true;
    },
  };
}

function notYours(method: string): Error {
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `${method}() was called on the client of a transaction${method === 'release' ? '' : ' that has ended'}. It is lent for the body of transaction(fn): await every query there, and do not release it.`,
    { details: { option: 'transaction' } },
  );
}
