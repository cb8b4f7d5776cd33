import type { Duration, PrunePolicy, PruneReport } from 'holdfast';
import { findRun } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { parseCount } from '../../input/numbers.ts';
import { parseStatuses } from '../../input/run-query.ts';
import { byteText } from '../../output/bytes.ts';
import { counted } from '../../output/counted.ts';
import type { Output } from '../../output/output.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead, openToWrite } from '../../project/open-engine.ts';

interface PruneOptions {
  readonly olderThan?: string;
  readonly keep?: string;
  readonly status?: readonly string[];
  readonly apply?: boolean;
}

/** `holdfast prune`. Shows a preview first. */
export const prune: CommandFn<PruneOptions> = async (context, [name], options) => {
  const { out, canAsk } = context;
  const { olderThan, keep, status, apply = false } = options;
  if (olderThan === undefined && keep === undefined) {
    throw CliError.usage('Say what to drop: --older-than 30d, --keep 5, or both.');
  }
  await using engine = apply ? await openToWrite(context) : await openToRead(context);
  const policy: PrunePolicy = {
    ...(name !== undefined && { runId: (await findRun(engine, name)).id }),
    ...(olderThan !== undefined && { olderThan: olderThan as Duration }),
    ...(keep !== undefined && { keep: parseCount(keep, '--keep') }),
    ...(status !== undefined && { status: parseStatuses(status) }),
  };
  const preview = await engine.prune({ ...policy, dryRun: true });
  if (!apply || out.mode === 'human') tell(out, preview, { isApplied: false });
  if (!apply) {
    if (preview.pruned > 0) out.hint('This is a preview. Drop them with --apply.');
    return 0;
  }
  if (preview.pruned > 0 && canAsk && !(await isWanted(preview))) return 0;
  tell(out, await engine.prune(policy), { isApplied: true });
  return 0;
};

// Its own function, because TypeScript 6.0 does not rewrite an import's extension in a function with `await using`.
async function isWanted({ pruned }: PruneReport): Promise<boolean> {
  const { confirmed } = await import('../../input/schema-form.ts');
  return confirmed(`Drop ${counted(pruned, 'checkpoint')}?`);
}

function tell(out: Output, report: PruneReport, { isApplied }: { readonly isApplied: boolean }): void {
  const { runs, pruned, retained, bytes, protectedBy } = report;
  out.result('prune', { applied: isApplied, ...report }, () => [
    `${isApplied ? 'dropped' : 'would drop'} ${pruned} of ${counted(pruned + retained, 'checkpoint')} in ${counted(runs, 'run')}, ${byteText(bytes)}`,
    ...(isApplied ? [] : protectedLines(out, protectedBy)),
  ]);
}

function protectedLines(out: Output, protectedBy: PruneReport['protectedBy']): readonly string[] {
  const reasons = new Map<string, number>();
  for (const { because } of protectedBy) reasons.set(because, (reasons.get(because) ?? 0) + 1);
  return [...reasons].map(([because, count]) => out.paint.dim(`  ${count} kept: ${because}`));
}
