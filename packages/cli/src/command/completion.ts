import type { CommandFn } from '../program/command-spec.ts';

export const completion: CommandFn<object> = async () => 0;
