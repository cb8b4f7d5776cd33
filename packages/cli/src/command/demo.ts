import type { CommandFn } from '../program/command-spec.ts';

export const demo: CommandFn<object> = async () => 0;
