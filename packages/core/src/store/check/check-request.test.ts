import { describe, expect, test } from 'vitest';
import type { ClaimRequest } from '../contract/lease.ts';
import { checkClaim, checkTrim, type Trim } from './check-request.ts';

const contract = expect.objectContaining({ code: 'HOLDFAST_STORE_CONTRACT' });
const invalidId = expect.objectContaining({ code: 'HOLDFAST_INVALID_ID' });

describe('checkClaim()', () => {
  test.each<ClaimRequest>([
    { type: 'due', worker: 'worker', leaseMs: 1, graphs: [{ name: 'g' }], limit: 1_000, takeover: true },
    { type: 'one', worker: 'worker', leaseMs: 1, runId: 'run', ifDue: true },
    { type: 'heartbeat', worker: 'worker', leaseMs: 1 },
    { type: 'release', worker: 'worker' },
    { type: 'release', worker: 'worker', runIds: ['a', 'b'] },
    { type: 'duty', worker: 'worker', name: 'sweep', everyMs: 1 },
  ])('takes $type', (request) => {
    expect(() => checkClaim(request)).not.toThrow();
  });

  test.each<[string, ClaimRequest]>([
    ['a worker', { type: 'heartbeat', worker: '../w', leaseMs: 1 }],
    ['a run to lease', { type: 'one', worker: 'worker', leaseMs: 1, runId: '', ifDue: false }],
    ['a run to release', { type: 'release', worker: 'worker', runIds: ['a', 7 as unknown as string] }],
  ])('refuses a bad id of %s', (_, request) => {
    expect(() => checkClaim(request)).toThrow(invalidId);
  });

  test.each([0, 1_001, 1.5, Number.NaN])('refuses to claim %d runs', (limit) => {
    expect(() => checkClaim({ type: 'due', worker: 'worker', leaseMs: 1, graphs: [], limit, takeover: true })).toThrow(
      contract,
    );
  });

  test.each([0, -1, 0.5, Number.POSITIVE_INFINITY])('refuses a lease of %d ms', (leaseMs) => {
    expect(() => checkClaim({ type: 'heartbeat', worker: 'worker', leaseMs })).toThrow(contract);
  });

  test.each([0, -1, 0.5, Number.POSITIVE_INFINITY])('refuses a duty every %d ms', (everyMs) => {
    expect(() => checkClaim({ type: 'duty', worker: 'worker', name: 'sweep', everyMs })).toThrow(contract);
  });
});

describe('checkTrim()', () => {
  const snapshot = { head: null, body: null };

  test.each<Trim>([
    { runId: 'run' },
    { runId: 'run', floor: 1, snapshot, drop: [{ covers: 1, seq: 1 }], hide: { keepTo: 3 } },
    { runId: 'run', hide: { keepTo: 0 } },
    { runId: 'run', remove: true, dryRun: true },
    { runId: 'run', remove: false, floor: 1 },
  ])('takes %o', (plan) => {
    expect(() => checkTrim(plan)).not.toThrow();
  });

  test.each<Trim>([
    { runId: 'run', floor: 0 },
    { runId: 'run', floor: 1.5 },
    { runId: 'run', hide: { keepTo: -1 } },
    { runId: 'run', snapshot },
    { runId: 'run', remove: true, floor: 1 },
    { runId: 'run', remove: true, hide: { keepTo: 1 } },
    { runId: 'run', remove: true, drop: [] },
  ])('refuses %o', (plan) => {
    expect(() => checkTrim(plan)).toThrow(contract);
  });

  test('refuses a bad id', () => {
    expect(() => checkTrim({ runId: 'a/b', remove: true })).toThrow(invalidId);
  });
});
