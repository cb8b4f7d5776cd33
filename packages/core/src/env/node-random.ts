import { randomFillSync } from 'node:crypto';

/** Numbers that nobody can guess, at least 0 and below 1, from a pool: a call of its own for each would cost 50 times as much. */
export function nodeRandom(): () => number {
  const pool = new Uint32Array(1_024);
  let next = pool.length;
  return () => {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    // 53 bits, as many as a number has between 0 and 1.
    const high = (pool[next] as number) >>> 5;
    const low = (pool[next + 1] as number) >>> 6;
    pool.fill(0, next, next + 2);
    next += 2;
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
}
