import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pasteFor } from './paste.ts';

const program = join('/usr/bin/holdfast');

const nameOf = (env: NodeJS.ProcessEnv, file: string): string => pasteFor({ env, program: file, options: {} })('runs');

describe('pasteFor()', () => {
  test('repeats the store, and the files one by one where the code is needed', () => {
    const paste = pasteFor({ env: {}, program, options: { store: 'sqlite:my runs.db', graphs: ['a.ts', "b's.ts"] } });
    expect(paste('resume r1')).toBe("holdfast resume r1 --store 'sqlite:my runs.db'");
    expect(paste('submit g')).toBe(String.raw`holdfast submit g --store 'sqlite:my runs.db' -g a.ts -g 'b'\''s.ts'`);
    expect(paste('init FOLDER')).toBe('holdfast init FOLDER');
    expect(paste('show r1', { store: 'file:b' })).toBe('holdfast show r1 --store file:b');
    expect(pasteFor({ env: {}, program, options: {} })('work')).toBe('holdfast work');
  });

  test('says npx where the shell would not find the program', () => {
    const local = join('/srv/shop/node_modules/.bin/holdfast');
    expect(nameOf({ npm_execpath: 'npm' }, program)).toBe('npx holdfast runs');
    expect(nameOf({ PATH: '/usr/bin' }, local)).toBe('npx holdfast runs');
    expect(nameOf({ PATH: join('/srv/shop/node_modules/.bin') }, local)).toBe('holdfast runs');
  });
});
