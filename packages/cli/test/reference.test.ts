import { describe, expect, test } from 'vitest';
import { publicCommands } from '../src/program/commands.ts';
import { cliReference } from './cli-reference.ts';

describe('docs/cli.md', () => {
  test('matches the command definitions', async () => {
    await expect(cliReference()).toMatchFileSnapshot('../../../docs/cli.md');
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
