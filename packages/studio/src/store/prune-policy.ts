import type { PruneBody, PrunedJson } from '@holdfast/server/client';

/** What the form of a prune says. */
export interface PruneForm {
  readonly olderThan: string;
  readonly keep: string;
  readonly status: keyof typeof statusChoices;
}

/** Which runs are pruned, by the words of the form. */
export const statusChoices = {
  'completed, cancelled': ['completed', 'cancelled'],
  'all that ended': ['completed', 'cancelled', 'failed'],
  'any status': undefined,
} as const;

/** The policy of a form, or what is wrong with it. */
export function policyOf({
  olderThan,
  keep,
  status,
}: PruneForm): { readonly policy: PruneBody } | { readonly problem: string } {
  const age = olderThan.trim();
  const kept = keep.trim();
  if (age !== '' && !/^\d{1,6}(?:\.\d{1,3})?(?:ms|s|m|h|d)$/u.test(age))
    return { problem: 'Write an age as 12h or 30d.' };
  if (kept !== '' && !/^\d{1,9}$/u.test(kept)) return { problem: 'Keep a whole number, 0 or more.' };
  if (age === '' && kept === '') return { problem: 'Say an age, or how many to keep.' };
  const statuses = statusChoices[status];
  return {
    policy: {
      ...(age !== '' && { olderThan: age as NonNullable<PruneBody['olderThan']> }),
      ...(kept !== '' && { keep: Number(kept) }),
      ...(statuses !== undefined && { status: [...statuses] }),
    },
  };
}

/** Why a checkpoint stays. */
export interface Reason {
  readonly name: string;
  readonly text: string;
  readonly count: number;
}

type Because = PrunedJson['protectedBy'][number]['because'];

const reasons: Readonly<Record<Because, string>> = {
  latest: 'a run continues from its newest checkpoint',
  fork: 'a fork begins there',
  waiting: 'the run waits there',
  'pending-effect': 'an effect is not settled',
  terminal: 'it is the last of a run that ended',
};

/** How many checkpoints stay for each reason; reasons that protect nothing are left out. */
export function reasonsOf({ protectedBy }: Pick<PrunedJson, 'protectedBy'>): readonly Reason[] {
  return (Object.keys(reasons) as Because[]).flatMap((name) => {
    const count = protectedBy.filter(({ because }) => because === name).length;
    return count === 0 ? [] : [{ name, text: reasons[name], count }];
  });
}
