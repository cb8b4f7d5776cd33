// A process is killed with SIGKILL in the middle of a step. Another one continues its run: what was finished is
// replayed from the journal, what was cut off is executed again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openEngine, workflow } from 'holdfast';
import { z } from 'zod';

const executed = new Set<string>();
const letters = workflow('letters', { input: z.array(z.string()) }, async (names, { step }) => {
  for (const name of names) {
    await step(`letter to ${name}`, async () => {
      console.log(`  writing to ${name}`);
      await setTimeout(100);
      executed.add(name);
    });
    console.log(`  ${executed.has(name) ? 'executed' : 'replayed'}: the letter to ${name}`);
  }
  return names.length;
});

const [, , place] = process.argv;
if (place !== undefined) await firstLife(place);
else await bothLives();

/** The process that will be killed. */
async function firstLife(folder: string): Promise<void> {
  // A process that died keeps its runs from others for the time of its lease.
  const engine = await openEngine(`sqlite:${join(folder, 'runs.db')}`, { lease: 500 });
  await engine.start(letters, ['Ada', 'Bob', 'Cleo', 'Dora'], { id: 'post' }).result();
  await engine.close();
}

async function bothLives(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-crash-'));
  console.log('1. The first process works.');
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    if (line.includes('writing to Cleo')) child.kill('SIGKILL');
  }
  const [, signal] = (await closed) as [null, string];
  console.log(`2. It is dead (${signal}). The second process continues.`);
  const engine = await openEngine(`sqlite:${join(folder, 'runs.db')}`, { graphs: [letters] });
  // It continues the run as soon as the lease of the dead process has ended.
  await engine.recover();
  console.log(`3. ${await engine.get(letters, 'post').result()} letters, none of the finished ones written twice.`);
  await engine.close();
  rmSync(folder, { recursive: true });
}
