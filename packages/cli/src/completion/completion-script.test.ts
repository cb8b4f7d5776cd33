import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { globalOptions, publicCommands } from '../program/commands.ts';
import { completionScript, shells } from './completion-script.ts';

const outline = { commands: publicCommands(), options: globalOptions };
const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe('completionScript()', () => {
  test.each(shells)('names every command for %s', (shell) => {
    const script = completionScript(shell, outline);
    for (const { name } of outline.commands) expect(script).toMatch(new RegExp(`\\b${name}\\b`, 'u'));
  });

  describe.each(shells)('%s', (shell) => {
    const leftOut = isThere(shell) ? '' : ' (left out: it is not installed)';
    test.skipIf(leftOut !== '')(`can read it${leftOut}`, () => {
      const args = shell === 'fish' ? ['--no-execute', '/dev/stdin'] : ['-n'];
      const { status, stderr } = spawnSync(shell, args, { input: completionScript(shell, outline), encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });
  });

  test('bash completes commands, options and runs', () => {
    const script = `${completionScript('bash', outline)}
holdfast() { echo '{"schema":"holdfast.run/1","id":"ord_81","graph":"g"}'; }
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdfast; echo "\${COMPREPLY[*]}"; }
try holdfast jo; try holdfast prune --k; try holdfast show o; try holdfast completion f`;
    const { stdout } = spawnSync('bash', { input: script, encoding: 'utf8' });
    expect(stdout.split('\n')).toEqual(['journal', '--keep', 'ord_81', 'fish', '']);
  });
});
