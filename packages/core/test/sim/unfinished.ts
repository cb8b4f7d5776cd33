import type { StoreDriver } from '../../src/store/contract/driver.ts';

const unfinishedStatus = ['pending', 'running', 'waiting', 'suspended', 'failed'] as const;

/** Tells of the runs that have not ended. */
export async function unfinished(raw: StoreDriver): Promise<string> {
  const { headers } = await raw.runs({ status: unfinishedStatus, order: 'oldest', limit: 9 });
  return headers
    .filter(({ kind }) => kind === 'graph')
    .map(({ runId, status, waits, wakeAt, worker, claims }) => {
      const what = waits.map(({ kind, name }) => `${kind} ${name}`).join();
      return `${runId} is ${status} [${what}], due ${wakeAt}, leased by ${worker}, claims ${claims}`;
    })
    .join('; ');
}
