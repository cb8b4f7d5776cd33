// What a fork changes, what it shares with its base, and what runs again. Pure, so that the dialog only shows it.

import type { ChangeJson, Json } from '@holdfast/server/client';
import { isFields } from '../fold/payload.ts';
import type { Story } from '../fold/story.ts';
import type { GraphStructure } from '../graph/shape.ts';
import type { TreeRow } from '../history/fork-tree.ts';

/** What was typed as a state. */
export type EditedState =
  | { readonly state: Readonly<Record<string, Json>>; readonly problem?: undefined }
  | { readonly problem: string; readonly state?: undefined };

/** Reads an edited state. */
export function readEdited(text: string): EditedState {
  try {
    const state = JSON.parse(text) as Json;
    return isFields(state) ? { state } : { problem: 'The state must be an object, with a field for each channel.' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'Not JSON.' };
  }
}

/** The channels that were edited: only these are set, so that the rest keeps what JSON cannot say. */
export function editedChannels(
  base: Readonly<Record<string, Json>>,
  edited: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name])),
  );
}

/** Channels that were taken out: a fork cannot unset one. */
export function removedChannels(
  base: Readonly<Record<string, Json>>,
  edited: Readonly<Record<string, Json>>,
): readonly string[] {
  return Object.keys(base).filter((name) => !Object.hasOwn(edited, name));
}

const mostChanges = 40;

/** The differences between two values of JSON, by pointer. */
export function patchOf(before: Json | undefined, after: Json | undefined, path = ''): readonly ChangeJson[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (before === undefined) return [{ op: 'add', path, after }];
  if (after === undefined) return [{ op: 'remove', path, before }];
  const names = namesOf(before, after);
  if (names === undefined) return [{ op: 'replace', path, before, after }];
  return names
    .flatMap((name) =>
      patchOf(at(before, name), at(after, name), `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    )
    .slice(0, mostChanges);
}

function namesOf(before: Json, after: Json): readonly string[] | undefined {
  if (isFields(before) && isFields(after)) return [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (Array.isArray(before) && Array.isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => String(index));
  return undefined;
}

function at(value: Json, name: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(name)];
  return isFields(value) ? value[name] : undefined;
}

/** A checkpoint that the fork shares with its base. */
export interface Reused {
  readonly id: string;
  readonly name: string;
  readonly seq: number;
}

/** The checkpoints up to the base, the newest first; the input is left out. */
export function reusedBy(own: readonly TreeRow[], base: string): readonly Reused[] {
  const from = own.findIndex(({ id }) => id === base);
  return from === -1
    ? []
    : own
        .slice(from)
        .filter(({ nodes, isHead }) => nodes.length > 0 && !isHead)
        .map(({ id, name, seq }) => ({ id, name, seq }));
}

/** A node that a fork executes, or may. */
export interface RunsAgain {
  readonly node: string;
  /** `next`: at once. `later`: if the way leads there. */
  readonly when: 'next' | 'later';
  readonly hasEffect: boolean;
  readonly note: string;
}

/** What runs again: the next nodes, then all that can be reached from them. Nodes with once-effects are marked. */
export function runsAgain(
  structure: GraphStructure | undefined,
  next: readonly string[],
  { story, childEffects }: { readonly story: Story | undefined; readonly childEffects: ReadonlySet<string> },
): readonly RunsAgain[] {
  const order = [...next];
  const seen = new Set(order);
  for (let index = 0; index < order.length; index += 1) {
    for (const { from, to } of structure?.edges ?? []) {
      if (from !== order[index] || to === 'end' || seen.has(to)) continue;
      seen.add(to);
      order.push(to);
    }
  }
  const asking = new Set(story?.waits.filter(({ kind }) => kind === 'ask').map(({ node }) => node));
  return order.map((node): RunsAgain => {
    const declared = structure?.nodes.find(({ name }) => name === node);
    const isOnce = story?.onceNodes.has(node) === true;
    const isInside = childEffects.has(node);
    const notes = [
      ...(isOnce || isInside
        ? [`${isInside ? `${declared?.inner?.name ?? 'its graph'} has` : 'has'} an effect that happens once`]
        : []),
      ...(asking.has(node) ? ['asks again'] : []),
      ...(declared?.type === 'graph' && !isInside ? [`graph ${declared.inner?.name}`] : []),
    ];
    return {
      node,
      when: next.includes(node) ? 'next' : 'later',
      hasEffect: isOnce || isInside,
      note: notes.join(', '),
    };
  });
}
