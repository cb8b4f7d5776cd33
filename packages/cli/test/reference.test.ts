import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicCommands } from '../src/program/commands.ts';
import { cliReference } from './cli-reference.ts';

describe('docs/cli.md', () => {
  test('matches the command definitions', async () => {
    await expect(cliReference()).toMatchFileSnapshot('../../../docs/cli.md');
  });

  test('every option is passed by a test', () => {
    const folder = import.meta.dirname;
    const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
    const options = publicCommands().flatMap(({ options: own = [] }) => own.map(({ flags }) => flags));
    const names = options.map((flags) => /--[a-z-]+/u.exec(flags)?.[0] ?? flags);
    expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  });

  test('every command has an example', () => {
    for (const { name, examples } of publicCommands()) {
      expect(
        examples.some(([line]) => line.includes(`holdfast ${name}`)),
        name,
      ).toBe(true);
    }
  });
});
