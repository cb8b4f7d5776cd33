import type { CommandFn } from '../program/command-spec.ts';

export const devWorker: CommandFn<object> = async () => 0;
