// What the samples declare and do not have: a payment service, a model, tools, and a store in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Clock, type Engine, type EngineOptions, openEngine } from 'holdfast';

interface Message {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
}

interface Reply {
  readonly id: string;
  readonly text: string;
  readonly calls: { tool: string; args: unknown }[];
}

/** Every refund that really happened, and its key. */
export const refunded: { readonly order: string; readonly cents: number; readonly key: string }[] = [];
export const stripe = {
  async refund(order: string, cents: number, key: string): Promise<{ id: string }> {
    refunded.push({ order, cents, key });
    return { id: `re_${refunded.length}` };
  },
};

let replies = 0;
/** A model that wants two tools at first, and then greets. */
export async function llm(messages: readonly Message[], onToken: (token: string) => void): Promise<Reply> {
  replies += 1;
  const id = `reply-${replies}`;
  const last = messages.at(-1);
  if (last?.content === 'Hello') {
    const calls = [
      { tool: 'clock', args: {} },
      { tool: 'broken', args: {} },
    ];
    return { id, text: '', calls };
  }
  const words = last?.role === 'tool' ? ['Hello', ' you', '\n'] : ['Salve', '\n'];
  for (const word of words) onToken(word);
  return { id, text: words.join('').trim(), calls: [] };
}

export const tools: Record<string, (args: unknown) => Promise<string>> = {
  clock: async () => 'noon',
  broken: async () => {
    throw new Error('out of order');
  },
};

const folder = mkdtempSync(join(tmpdir(), 'holdfast-samples-'));
const dayMs = 86_400_000;
let passedMs = 0;
const clock: Clock = {
  now: () => Date.now() + passedMs,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

/** The store of the samples, where days pass when the test says so. */
export function openSample(options: EngineOptions = {}): Promise<Engine> {
  return openEngine(`sqlite:${join(folder, 'holdfast.db')}`, { ...options, clock });
}

export function passDays(days: number): void {
  passedMs += days * dayMs;
}

export function removeSamples(): void {
  rmSync(folder, { recursive: true, force: true });
}
