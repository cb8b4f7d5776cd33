/**
 * Where the runs of a simulation are executed. `fleet`: by several workers that share a store, and people elsewhere start
 * and answer them. `embedded`: by one process without a work loop, in which the people are too; when it has died, the next
 * one recovers what it left. `file`: by one worker on a simulated disk.
 */
export type Setting = 'fleet' | 'embedded' | 'file';
