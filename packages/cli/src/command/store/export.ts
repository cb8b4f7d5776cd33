import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findRun } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { byteText } from '../../output/bytes.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';

interface ExportOptions {
  readonly output?: string;
  readonly redact?: readonly string[];
}

/** `holdfast export RUN`. */
export const exportRun: CommandFn<ExportOptions> = async (context, [name = ''], { output, redact }) => {
  const { out, cwd } = context;
  if (output === undefined && out.mode !== 'human')
    throw CliError.usage('Export already writes JSON lines. Use --json together with --output.');
  if (output === undefined && out.isTerminal)
    throw CliError.usage('Choose a file with --output FILE, or pipe the output.');
  await using engine = await openToRead(context);
  const { id } = await findRun(engine, name);
  const source = engine.export(id, redact === undefined ? {} : { redact });
  if (output === undefined) {
    for await (const chunk of source) await out.bytes(chunk);
    return 0;
  }
  const file = resolve(cwd, output);
  const bytes = await writeNew(file, source);
  out.result('export', { runId: id, file, bytes }, () => [`wrote ${output}, ${byteText(bytes)}`]);
  return 0;
};

/** Writes a new file, and removes it if writing fails: half an export is useless. */
async function writeNew(file: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  // Exports hold user data: only the owner may read them.
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? CliError.conflict(`${file} already exists. Choose another file.`) : error;
  });
  let bytes = 0;
  try {
    for await (const chunk of source) {
      await handle.writeFile(chunk);
      bytes += chunk.length;
    }
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return bytes;
}
