/** The ids that runs have: few, so that they meet. */
export const runIds = ['r0', 'r1', 'r2', 'r3', 'r4'] as const;

/** The workers. */
export const workerIds = ['w0', 'w1', 'w2'] as const;

/** Leases and steps of time that never end on the same moment. */
export const leaseTimesMs = [3_000, 10_000] as const;

/** Time moves in these steps. */
export const timeStepMs = 700;
