// A synchronous standby: what it has not confirmed is acknowledged to nobody, whatever the server says of its commit.
import { openEngine, type StoreUrl } from 'holdfast';
import { describe, expect, onTestFinished, test } from 'vitest';
import { all } from '../engine/every-place.ts';
import { Cluster } from './rig/cluster.ts';
import { pause } from './rig/fleet.ts';

describe('a commit whose wait for the standby is cancelled', () => {
  test('is acknowledged when the standby has it, and not before', async () => {
    await using cluster = await Cluster.start({ standby: false });
    const { primary } = cluster;
    const engine = await openEngine(`${primary.url}?schema=standby` as StoreUrl, { lease: '10m', log: 'silent' });
    await engine.journal.append('run', { payload: 'before' });
    await primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'missing'");
    await primary.sql('SELECT pg_reload_conf()');
    let isAcknowledged = false;
    const appended = engine.journal.append('run', { payload: 'once' }).then(() => {
      isAcknowledged = true;
    });
    const cancelWaiting = "SELECT pg_cancel_backend(pid) AS done FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    // The commit, and then each attempt to settle it: all succeed on the primary alone, with a warning.
    for (let cancelled = 0; cancelled < 4; await pause(20)) cancelled += (await primary.sql(cancelWaiting)).length;
    expect(isAcknowledged).toBe(false);
    await primary.sql("ALTER SYSTEM SET synchronous_standby_names = ''");
    await primary.sql('SELECT pg_reload_conf()');
    await appended;
    expect((await all(engine.journal.read('run'))).map(({ payload }) => payload)).toEqual(['before', 'once']);
    await engine.close();
  });
});

describe('a standby', () => {
  test('is refused where it is alone, and passed over where the primary is named too', async () => {
    const cluster = await Cluster.start({ standby: true });
    onTestFinished(() => cluster[Symbol.asyncDispose]());
    const [standby] = cluster.standbys as [(typeof cluster.standbys)[number]];
    await expect(openEngine(`${standby.url}?schema=both` as StoreUrl)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNAVAILABLE',
      details: { problem: 'read-only' },
    });
    const hosts = [standby, cluster.primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const engine = await openEngine(`postgres://postgres@${hosts}/postgres?schema=both`);
    await engine.journal.append('run', { payload: 'there' });
    expect(await all(engine.journal.read('run'))).toHaveLength(1);
    await engine.close();
  });
});
