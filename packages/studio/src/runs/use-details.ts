import type { RunDetailsJson, RunJson } from '@holdfast/server/client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../api/client.ts';

const kept = new Map<string, RunDetailsJson>();
const maxKept = 500;
const atOnce = 4;

/**
 * What a list does not carry, such as the error of a failed run: asked for once per run and head, four at a time. The last
 * answer stays until the next one is there.
 */
export function useDetails(runs: readonly RunJson[]): (run: RunJson) => RunDetailsJson | undefined {
  const [, setTurn] = useState(0);
  const missing = runs.filter(({ id, head }) => kept.get(id)?.head !== head);
  const key = missing.map(keyOf).join(' ');
  useEffect(() => {
    let isOver = false;
    const waiting = [...missing];
    const work = async (): Promise<void> => {
      for (let run = waiting.shift(); run !== undefined && !isOver; run = waiting.shift()) {
        const details = await client.run(run.id).catch(() => undefined);
        if (details !== undefined) keep(details);
      }
    };
    if (waiting.length > 0)
      void Promise.all(Array.from({ length: atOnce }, work)).then(() => setTurn((turn) => turn + 1));
    return () => {
      isOver = true;
    };
  }, [key]);
  return (run) => kept.get(run.id);
}

function keep(details: RunDetailsJson): void {
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  kept.set(details.id, details);
}

function keyOf({ id, head }: RunJson): string {
  return `${id}@${head}`;
}
