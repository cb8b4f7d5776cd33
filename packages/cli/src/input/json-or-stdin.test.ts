import { expect, test } from 'vitest';
import { readText } from './json-or-stdin.ts';

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* endless(): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(2 ** 20);
  for (;;) yield chunk;
}

test('joins characters that were cut in two', async () => {
  const bytes = Buffer.from('{"a":"漢"}');
  const halves = (async function* () {
    yield bytes.subarray(0, 7);
    yield bytes.subarray(7);
  })();
  expect(await readText(halves, 'The input')).toBe('{"a":"漢"}');
});

test('gives up on what does not end', async () => {
  await expect(readText(endless(), 'The input')).rejects.toThrow('The input is larger than 16 MB');
  expect(await readText(pieces('1', '2'), 'The input')).toBe('12');
});
