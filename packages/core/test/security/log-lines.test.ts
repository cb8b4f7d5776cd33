// Issue item: terminals. What a run, a store or a file contains reaches a log as a line of text, and controls no terminal.
import { openEngine, workflow } from 'holdfast';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { sinkOf } from '../../src/env/observe/log-sink.ts';
import { memoryStore } from '../../src/store/memory/open.ts';

const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egpj.exe\u2028\r\nholdfast: fake\ud800';
/** All but the end of the line. */
const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

const failing = workflow('failing', { input: z.null() }, async () => {
  throw Object.assign(new Error(hostile), { name: hostile, code: hostile });
});

/** A log that fails. */
function broken(): never {
  throw new Error(hostile);
}

test('a failed run is logged in one line without control characters', async () => {
  const lines: string[] = [];
  const log = sinkOf('debug', (line) => lines.push(line));
  await using engine = await openEngine(memoryStore(), { log });
  await (await engine.start(failing, null, { id: 'r' })).outcome();
  expect(lines.join('')).toContain('owned');
  for (const line of lines) expect(line.replace(/\n$/u, '')).not.toMatch(controls);
});

test('a warning of Node is one line without control characters', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  await using engine = await openEngine(memoryStore(), { log: broken });
  await (await engine.start(failing, null, { id: 'r' })).outcome();
  const { message } = await warned;
  expect(message).toContain('owned');
  expect(message).not.toMatch(controls);
});
