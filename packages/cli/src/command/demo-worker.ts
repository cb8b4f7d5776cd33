import type { CommandFn } from '../program/command-spec.ts';

export const demoWorker: CommandFn<object> = async () => 0;
