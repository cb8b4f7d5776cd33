import { expect, test } from 'vitest';
import { RunningHash } from './running-hash.ts';

test('returns the hash of all bytes so far, in any chunks', () => {
  const whole = new RunningHash();
  whole.add(Buffer.from('abc'));
  const pieces = new RunningHash();
  pieces.add(Buffer.from('a'));
  const before = pieces.hex();
  pieces.add(Buffer.from('bc'));
  expect(pieces.hex()).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(pieces.hex()).toBe(whole.hex());
  expect(before).not.toBe(whole.hex());
});
