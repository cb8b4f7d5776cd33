import type { Json } from '@holdfast/server/client';

/** What the form of a start says besides the fields of the input. */
export interface StartDraft {
  readonly mode: 'form' | 'json';
  readonly json: string;
  readonly id: string;
  readonly tags: string;
}

/** What is started, or what is wrong. */
interface ReadStart {
  readonly input: Json | undefined;
  readonly id: string | undefined;
  readonly tags: Readonly<Record<string, string>> | undefined;
  readonly problem: string | undefined;
}

/** Reads the draft of a start. `formed` is the input that the fields make. */
export function readStart({ mode, json, id, tags }: StartDraft, formed: Json | undefined): ReadStart {
  const words = tags.split(/\s+/u).filter((word) => word !== '');
  const bad = words.find((word) => !/^[^=]+=.+$/u.test(word));
  const input = mode === 'form' ? { value: formed } : parsed(json);
  const named = Object.fromEntries(
    words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  return {
    input: input.value,
    id: id.trim() === '' ? undefined : id.trim(),
    tags: words.length === 0 ? undefined : named,
    problem: bad === undefined ? input.problem : `Write the tag "${bad}" as name=value.`,
  };
}

function parsed(text: string): { readonly value: Json | undefined; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { value: undefined, problem: error instanceof Error ? `No JSON: ${error.message}` : 'No JSON.' };
  }
}
