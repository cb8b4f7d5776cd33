import { list, map } from 'holdfast';
import { channelSet } from '../../packages/core/src/channel/channel-set.ts';
import { applyUpdates } from '../../packages/core/src/channel/update/apply-updates.ts';
import { type PreparedUpdate, prepareUpdate } from '../../packages/core/src/channel/update/prepare-update.ts';
import type { FoldState } from '../../packages/core/src/delta/cell.ts';
import { snapshotBody } from '../../packages/core/src/history/snapshot-body.ts';
import { addStep, mayBeDue, measured, newMeter } from '../../packages/core/src/history/snapshot-policy.ts';
import { encodeEntry } from '../../packages/core/src/record/record-codec.ts';
import { encodeValue } from '../../packages/core/src/value/codec/codec.ts';
import type { Report } from './report.ts';
import { median, microsPerCall } from './timing.ts';

const channels = channelSet({ messages: list<unknown>(), document: map<string>() });
const rounds = 15;
const appends = 2_000;
const steps = 1_000;
const stepOverhead = 256;

/** What finding and storing a change costs: by the size of the state, and in bytes over a thousand steps. */
export async function delta(): Promise<Report> {
  const { large, empty, ratio } = await appendCosts();
  const { bytes, ideal, snapshots } = await thousandSteps();
  return {
    settings: { rounds, appends, steps, node: process.version },
    figures: [
      { name: 'append one message to none', value: empty, unit: 'µs' },
      { name: 'append one message to 10,000', value: large, unit: 'µs' },
      { name: 'append to 10,000 ÷ append to none', value: ratio, unit: 'ratio', atMost: 1.1 },
      { name: 'bytes of 1,000 steps', value: bytes, unit: 'B' },
      { name: 'snapshots among them', value: snapshots, unit: 'snapshots' },
      { name: 'bytes ÷ (changes + 256 B a step)', value: bytes / ideal, unit: 'ratio', atMost: 2.4 },
    ],
  };
}

/** Both sides in one run, alternating; the list is never read. */
async function appendCosts(): Promise<{ large: number; empty: number; ratio: number }> {
  const update = await prepareUpdate(channels, { messages: [message(0)] });
  const none = applyUpdates(channels, new Map(), []).state;
  const many = Array.from({ length: 10_000 }, (_, index) => message(index));
  const full = applyUpdates(channels, none, [await prepareUpdate(channels, { messages: many })]).state;
  const empty: number[] = [];
  const large: number[] = [];
  appendMany(none, update);
  appendMany(full, update);
  for (let round = 0; round < rounds; round += 1) {
    empty.push(appendMany(none, update));
    large.push(appendMany(full, update));
  }
  const ratios = large.map((value, index) => value / (empty[index] ?? Number.NaN));
  return { large: median(large), empty: median(empty), ratio: median(ratios) };
}

function appendMany(state: FoldState, update: PreparedUpdate): number {
  let current = state;
  return microsPerCall(appends, () => {
    const applied = applyUpdates(channels, current, [update]);
    encodeValue(applied.delta);
    current = applied.state;
  });
}

/** The workload of PERFORMANCE.md: a message of 1 KB a step, and one key of an object of 50 KB. */
async function thousandSteps(): Promise<{ bytes: number; ideal: number; snapshots: number }> {
  const document = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key-${index}`, 'x'.repeat(1_000)]));
  let state = applyUpdates(channels, new Map(), [await prepareUpdate(channels, { document })]).state;
  let meter = newMeter;
  let bytes = 0;
  let ideal = 0;
  let snapshots = 0;
  for (let step = 1; step <= steps; step += 1) {
    const change = { messages: [message(step)], document: { [`key-${step % 50}`]: `${step}` } };
    const applied = applyUpdates(channels, state, [await prepareUpdate(channels, change)]);
    state = applied.state;
    const record = Buffer.byteLength(
      encodeEntry({ kind: 'superstep', at: step, payload: { delta: applied.delta, next: ['a'] } }),
    );
    bytes += record;
    ideal += Buffer.byteLength(JSON.stringify(change)) + stepOverhead;
    meter = addStep(meter, record);
    if (!mayBeDue(meter)) continue;
    const size = Buffer.byteLength(encodeValue(snapshotBody(state)));
    const { due, meter: next } = measured(meter, size);
    meter = next;
    if (due) bytes += size;
    if (due) snapshots += 1;
  }
  return { bytes, ideal, snapshots };
}

function message(index: number): object {
  return { id: `message-${index}`, role: 'user', content: 'x'.repeat(1_000) };
}
