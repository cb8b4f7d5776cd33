import { text } from 'node:stream/consumers';
import { parseJson } from './assignments.ts';

/** Parses JSON from the command line, or from stdin if it is `-`. */
export async function jsonOrStdin(given: string, what: string): Promise<unknown> {
  return parseJson(given === '-' ? await text(process.stdin) : given, what);
}
