// An agent with a loop of its own: it notes what it does, saves where it is, is closed, comes back and is forked.
import { openEngine } from 'holdfast';
import { memoryStore } from 'holdfast/testing';

const store = memoryStore(); // outlives its engine, as a disk would
const runId = 'inbox-agent';
const mails = ['invoice from Ada', 'holiday photos', 'complaint about order 81', 'newsletter'];

async function work(upTo: number): Promise<void> {
  const engine = await openEngine(store);
  const { journal, checkpoints } = engine;
  const last = await checkpoints.latest(runId);
  let sorted = (last?.state['sorted'] as string[] | undefined) ?? [];
  console.log(last ? `  found ${last.id} (${last.label}), ${sorted.length} mails are sorted` : '  a first life');
  for (const mail of mails.slice(sorted.length, upTo)) {
    const folder = /invoice|complaint/.test(mail) ? 'work' : 'home';
    await journal.append(runId, { source: 'tool', labels: ['sort'], payload: { mail, folder } });
    sorted = [...sorted, `${folder}: ${mail}`];
    const saved = await checkpoints.save(runId, { state: { sorted }, label: `sorted ${mail}` });
    console.log(`  ${saved.id.padEnd(14)} ${folder}: ${mail}`);
  }
  await engine.close();
}

console.log('1. The agent works, and is closed after two mails.');
await work(2);
console.log('2. It comes back and continues; nothing is done twice.');
await work(mails.length);

const engine = await openEngine(store);
const { journal, checkpoints } = engine;
console.log('3. What if the third mail had never come? A fork of the checkpoint before it, as a pointer.');
const fork = await checkpoints.fork(`${runId}@4`, { id: 'what-if', label: 'no complaint' });
const before = (await checkpoints.latest(fork))?.state['sorted'] as string[];
await checkpoints.save(fork, { state: { sorted: [...before, 'home: newsletter'] } });
for await (const { id, label, parentId } of checkpoints.list(fork))
  console.log(`  ${id.padEnd(14)} on ${parentId ?? 'nothing'}  ${label}`);

console.log('4. Pruning shows first what it would drop; what the fork stands on stays.');
const policy = { keep: 1 };
const { pruned, retained, protectedBy } = await checkpoints.prune(runId, { ...policy, dryRun: true });
console.log(
  `  would drop ${pruned}, keep ${retained}; protected: ${protectedBy.map((by) => `${by.checkpoint} (${by.because})`).join(', ')}`,
);
await checkpoints.prune(runId, policy);
const left = [];
for await (const { id } of checkpoints.list(runId)) left.push(id);
console.log(
  `  left: ${left.join(', ')}; the journal still has ${(await journal.tail(runId, 100, { label: 'sort' })).length} records of sorting`,
);
await engine.close();
