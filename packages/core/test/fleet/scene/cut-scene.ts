// The connection of one engine is cut at every boundary of a message of every kind of write.
import { postgresStoreAt } from '../../../src/store/postgres/url.ts';
import { cutEverywhere } from '../cut/cut-everywhere.ts';
import { cutMutants } from '../cut/mutants.ts';
import { operations } from '../cut/operation.ts';
import { Cluster } from '../rig/cluster.ts';
import type { Scene } from './scene.ts';

/** Every operation, cut everywhere. A mutant has the first one. */
export const cutScene: Scene = async ({ rounds, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const [proxy] = cluster.proxies as [(typeof cluster.proxies)[number]];
  const direct = new URL(cluster.primary.url);
  direct.searchParams.set('schema', 'cuts');
  const change = mutant === undefined ? undefined : cutMutants[mutant];
  const store = postgresStoreAt(cluster.url('cuts'));
  const violations: string[] = [];
  let acknowledged = 0;
  for (const operation of mutant === undefined ? operations : operations.slice(0, 1)) {
    for (let round = 0; round < rounds; round += 1) {
      const place = { store: change?.(store) ?? store, proxy, direct: postgresStoreAt(direct.href) };
      const report = await cutEverywhere(operation, place);
      acknowledged += report.cuts;
      violations.push(...report.violations);
      say(`${operation.name}: ${report.cuts} cuts, ${report.violations.length} violations`);
    }
  }
  return { rounds, acknowledged, supersteps: 0, surplus: 0, violations };
};
