import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { RunHeader } from '../../../src/store/contract/run.ts';
import { reason } from '../../../src/store/store-fault.ts';
import { creation } from '../workload/probe.ts';
import type { Ledger } from './ledger.ts';
import { RunVerifier } from './verify-run.ts';
import type { Violation } from './violation.ts';

interface VerifyOptions {
  /** The token of a commit that is made at the end. */
  readonly probe: string;
  /** Runs that are looked at elsewhere. */
  readonly ignore?: readonly string[] | undefined;
}

/** Compares an open store with what was acknowledged; then writes to it, to see that it still works. */
export async function verifyStore(
  store: CheckedStore,
  ledger: Ledger,
  options: VerifyOptions,
): Promise<readonly Violation[]> {
  const { probe, ignore = [] } = options;
  const violations: Violation[] = [];
  try {
    const headers = (await allRuns(store)).filter(({ runId }) => !ignore.includes(runId));
    const found = new Set(headers.map(({ runId }) => runId));
    for (const [runId, known] of ledger.runs) {
      const acknowledged = known.commits.size > 0 || known.checked !== undefined;
      if (!found.has(runId) && known.removal === 'none' && acknowledged)
        violations.push({ kind: 'lost', what: `run ${runId} is missing` });
      if (found.has(runId) && known.removal === 'done')
        violations.push({ kind: 'lost', what: `run ${runId} is back after its removal` });
    }
    for (const header of headers) violations.push(...(await new RunVerifier(store, header, ledger).verify()));
    ledger.add([await creation(store, probe)]);
  } catch (error) {
    violations.push({ kind: 'unusable', what: reason(error) });
  }
  return violations;
}

async function allRuns(store: CheckedStore): Promise<readonly RunHeader[]> {
  const headers: RunHeader[] = [];
  let after: RunHeader | undefined;
  do {
    const found = await store.runs({ order: 'oldest', after, limit: 1_000 });
    headers.push(...found);
    after = found.length < 1_000 ? undefined : found.at(-1);
  } while (after !== undefined);
  return headers;
}
