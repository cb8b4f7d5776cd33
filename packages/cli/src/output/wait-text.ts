import type { RunSummary } from 'holdfast';

/** A wait in a list: `approval`, `sleep:nap`. */
export function waitText({ kind, name }: RunSummary['waits'][number]): string {
  return kind === 'ask' || kind === 'receive' ? name : `${kind}:${name}`;
}
