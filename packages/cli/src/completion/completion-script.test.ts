import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { globalOptions, publicCommands } from '../program/commands.ts';
import { completionScript, shells } from './completion-script.ts';

const outline = { commands: publicCommands(), options: globalOptions };
const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-completion-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('completionScript()', () => {
  test.each(shells)('names every command for %s', (shell) => {
    const script = completionScript(shell, outline);
    for (const { name } of outline.commands) expect(script).toMatch(new RegExp(`\\b${name}\\b`, 'u'));
  });

  describe.each(shells)('%s', (shell) => {
    const leftOut = isThere(shell) ? '' : ' (left out: it is not installed)';
    test.skipIf(leftOut !== '')(`can read it${leftOut}`, () => {
      // fish cannot read a script from the stdin that Node provides.
      const file = join(folder, `holdfast.${shell}`);
      writeFileSync(file, completionScript(shell, outline));
      const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });
  });

  test('bash completes commands, options and runs', () => {
    const script = `${completionScript('bash', outline)}
holdfast() { printf '%s\\n' ord_81 ord:82; }
try() { COMP_LINE="$1"; COMP_POINT=\${#1}; _holdfast holdfast "$2"; echo "\${COMPREPLY[*]}"; }
try 'holdfast jo' jo; try 'holdfast prune --k' --k; try 'holdfast show o' o; try 'holdfast show ord:8' 8
try 'holdfast show @l' @l; try 'holdfast completion f' f`;
    const { stdout } = spawnSync('bash', { input: script, encoding: 'utf8' });
    expect(stdout.split('\n')).toEqual(['journal', '--keep', 'ord_81 ord:82', '82', '@last', 'fish', '']);
  });
});
