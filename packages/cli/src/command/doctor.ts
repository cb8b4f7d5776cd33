import type { CommandFn } from '../program/command-spec.ts';

export const doctor: CommandFn<object> = async () => 0;
