import type { Env } from '../../../env/env.ts';

const chanceBits = 20n;

/**
 * A key for a new run: 43 bits of its creation time and 20 of chance. No sequence is asked for, and keys follow time, so
 * that tables can be partitioned by them.
 */
export function newKey(createdAt: number, env: Pick<Env, 'random'>): string {
  const time = BigInt(Math.max(0, Math.trunc(createdAt))) & 0x7_ff_ff_ff_ff_ffn;
  return String((time << chanceBits) | BigInt(Math.floor(env.random() * 2 ** Number(chanceBits))));
}
