import type { CommandFn } from '../program/command-spec.ts';

export const work: CommandFn<object> = async () => 0;
