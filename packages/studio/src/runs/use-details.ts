import type { RunDetailsJson, RunJson } from '@holdfast/server/client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../api/client.ts';

const kept = new Map<string, RunDetailsJson>();
const maxKept = 500;
const atOnce = 4;

/** What a list does not carry, such as the error of a failed run: asked for once per run and head, four at a time. */
export function useDetails(runs: readonly RunJson[]): (run: RunJson) => RunDetailsJson | undefined {
  const [, setTurn] = useState(0);
  const missing = runs.filter((run) => !kept.has(keyOf(run)));
  const key = missing.map(keyOf).join(' ');
  useEffect(() => {
    let isOver = false;
    const waiting = [...missing];
    const work = async (): Promise<void> => {
      for (let run = waiting.shift(); run !== undefined && !isOver; run = waiting.shift()) {
        const details = await client.run(run.id).catch(() => undefined);
        if (details !== undefined) keep(keyOf(run), details);
      }
    };
    if (waiting.length > 0)
      void Promise.all(Array.from({ length: atOnce }, work)).then(() => setTurn((turn) => turn + 1));
    return () => {
      isOver = true;
    };
  }, [key]);
  return (run) => kept.get(keyOf(run));
}

function keep(key: string, details: RunDetailsJson): void {
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  kept.set(key, details);
}

function keyOf({ id, head }: RunJson): string {
  return `${id}@${head}`;
}
