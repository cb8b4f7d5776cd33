import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { findRun } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import { counted } from '../../output/counted.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { fileOf, openToWrite } from '../../project/open-engine.ts';

/** `holdfast import FILE`. */
export const importRun: CommandFn<{ readonly id?: string }> = async (context, [name = ''], { id }) => {
  const { out, cwd, project, paste } = context;
  const file = resolve(cwd, name);
  if (name !== '-') refuseOtherThanFile(file);
  const place = fileOf(project.store);
  if (place !== undefined) mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  await using engine = await openToWrite(context, { mayCreate: true });
  const source: AsyncIterable<Uint8Array> = name === '-' ? process.stdin : createReadStream(file);
  const report = await engine.import(source, id === undefined ? {} : { id });
  const { runId, runs, imported, redacted } = report;
  out.result('import', { ...report }, () => [runId]);
  out.hint(`Imported ${counted(imported, 'new run')}; ${runs - imported} already existed.`);
  if (redacted) out.hint('The run is redacted: you can read it, but not continue it.');
  const { status } = await findRun(engine, runId);
  if (status === 'suspended') out.hint(suspendedHint(paste, runId));
  return 0;
};

/** Pipes are files too: a shell makes one of `<(…)`. */
function refuseOtherThanFile(file: string): void {
  if (!existsSync(file)) throw CliError.notFound(`File ${file} does not exist.`);
  if (statSync(file).isDirectory()) throw CliError.usage(`${file} is a directory. Name a file written by export.`);
}
