import { type CrashMeans, freshDirectories } from '../workload/crash-cycles.ts';

/** kill -9: the process is gone between two instructions; what it gave to the system stays. */
export function killMeans(directory: string): CrashMeans {
  return {
    newDirectory: freshDirectories(directory),
    crash: async (writer) => {
      await writer.kill();
      return {};
    },
    keep: async () => {},
    close: () => {},
  };
}
