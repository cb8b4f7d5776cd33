import type { CommandFn } from '../program/command-spec.ts';

export const dev: CommandFn<object> = async () => 0;
