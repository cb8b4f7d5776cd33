import { CliError } from '../failure/cli-error.ts';
import { parseJson } from './assignments.ts';

/** No store keeps a larger value. */
const mostBytes = 16 * 2 ** 20;

/** Parses JSON from the command line, or from stdin if it is `-`. */
export async function jsonOrStdin(given: string, what: string): Promise<unknown> {
  return parseJson(given === '-' ? await readText(process.stdin, what) : given, what);
}

/** All of a stream that may never end. @throws CliError */
export async function readText(stream: AsyncIterable<Uint8Array | string>, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > mostBytes)
      throw CliError.usage(`${what} is larger than ${mostBytes / 2 ** 20} MB, the limit of a value.`);
  }
  return Buffer.concat(chunks).toString('utf8');
}
