import { type CallPlace, nodeEffect, type WaitKind } from '../payload.ts';

/** The name of sleeps that were given none. Reserved: no other call can have it. */
export const unnamedSleep = '.sleep';

/** The name of a `receive` of any of these messages. One message alone is the same call as without a list. */
export function nameOfMessages(names: readonly string[]): string {
  const [only] = names;
  // The dot is reserved, and no message has a bar in its name.
  return names.length === 1 && only !== undefined ? only : `.${names.join('|')}`;
}

/** The messages that a `receive` with this name takes. */
export function messagesNamed(name: string): readonly string[] {
  return name.startsWith('.') ? name.slice(1).split('|') : [name];
}

/** The names that people see of a wait: each message that would end it, or the node whose effect it is. */
export function shownNames(kind: WaitKind, { name, node }: CallPlace): readonly string[] {
  if (kind === 'receive') return messagesNamed(name);
  if (name === nodeEffect) return [node];
  return [name === unnamedSleep ? 'sleep' : name];
}

/**
 * The name of a call after a migration: null if it is gone, undefined if it stays. In a `receive` of several messages each
 * is renamed, and those that are gone are left out.
 */
export function renamedCallName(steps: ReadonlyMap<string, string | null>, name: string): string | null | undefined {
  const whole = steps.get(name);
  if (whole !== undefined || !name.includes('|') || !name.startsWith('.')) return whole;
  const before = messagesNamed(name);
  if (!before.some((each) => steps.has(each))) return undefined;
  const after = before.flatMap((each) => {
    const to = steps.get(each);
    return to === null ? [] : [to ?? each];
  });
  return after.length === 0 ? null : nameOfMessages(after);
}
