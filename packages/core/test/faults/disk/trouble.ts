import type { DiskFault, DiskFaultPlan, DiskOperationKind } from '../../../src/testing/disk/disk-fault.ts';

/** What can go wrong in a workload before the power cut: a call of the disk fails, or the process is killed at one. */
export type TroubleKind = DiskOperationKind | 'kill';

/** What goes wrong in a workload. */
export interface Trouble {
  readonly faults?: DiskFaultPlan | undefined;
  /** The process is killed after so many changes of the disk; the next one finds what it left, synced or not. */
  readonly diesAfter?: number | undefined;
}

const faultyKinds: readonly DiskOperationKind[] = [
  'write',
  'sync',
  'create',
  'rename',
  'sync-directory',
  'truncate',
  'remove',
];

/** Changes of the disk that a workload makes. */
const usualChanges = 160;

/** The trouble of a workload: of this kind, or of any kind in two of three workloads. */
export function someTrouble(random: () => number, always: TroubleKind | undefined): Trouble {
  const choice = random();
  if (always === undefined && choice < 0.34) return {};
  if (always === 'kill' || (always === undefined && choice < 0.55)) {
    return { diesAfter: Math.floor(random() * usualChanges) };
  }
  const kind = always ?? faultyKinds[Math.floor(random() * faultyKinds.length)];
  return { faults: someFaults(random, kind as DiskOperationKind) };
}

/** One call fails at a random moment; at times a few after it fail too, whatever they are, as on a disk that is dying. */
function someFaults(random: () => number, kind: DiskOperationKind): DiskFaultPlan {
  const at = 1 + Math.floor(random() * 24);
  const isFull = random() < 0.5 && (kind === 'write' || kind === 'create');
  const share = random();
  let after = random() < 0.3 ? 1 + Math.floor(random() * 3) : 0;
  let met = 0;
  return (operation): DiskFault | undefined => {
    if (operation.kind === 'read' || operation.kind === 'open') return undefined;
    if (operation.kind === kind) met += 1;
    if (met < at) return undefined;
    if (operation.kind !== kind || met > at) {
      if (after <= 0) return undefined;
      after -= 1;
    }
    return { code: isFull ? 'ENOSPC' : 'EIO', written: Math.floor(share * (operation.bytes ?? 0)) };
  };
}
