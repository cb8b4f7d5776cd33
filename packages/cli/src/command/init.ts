import type { CommandFn } from '../program/command-spec.ts';

export const init: CommandFn<object> = async () => 0;
