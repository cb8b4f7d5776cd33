import { readdirSync, readFileSync } from 'node:fs';

/** A block of code in a page, and the line that it starts at. */
export interface CodeBlock {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const root = new URL('../../', import.meta.url);

/** The pages of a folder. */
export function pagesIn(folder: string): readonly string[] {
  return readdirSync(new URL(folder, root)).map((name) => `${folder}${name}`);
}

/** The fenced blocks of a Markdown page. */
export function codeBlocks(page: string): readonly CodeBlock[] {
  const text = readFileSync(new URL(page, root), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: code = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    code,
  }));
}

/** What the block says that it prints: the comment behind each `console.log`. */
export function promisedOutput(code: string): readonly string[] {
  return [...code.matchAll(/^.*console\.log\(.*\); \/\/ (.*)$/gm)].map(([, output = '']) => output);
}
