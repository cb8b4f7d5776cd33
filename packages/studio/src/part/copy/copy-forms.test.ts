import { describe, expect, test } from 'vitest';
import { assignments, cliText, copyForms, literal, shellWord } from './copy-forms.ts';

describe('a command line that is copied', () => {
  test('quotes what a shell would read otherwise', () => {
    expect(shellWord('ord_81@14')).toBe('ord_81@14');
    expect(shellWord('')).toBe(`''`);
    expect(shellWord(`it's $HOME`)).toBe(`'it'\\''s $HOME'`);
    expect(cliText(['cancel', 'ord_81', '--reason', 'sold twice; rm -rf'])).toBe(
      `holdfast cancel ord_81 --reason 'sold twice; rm -rf'`,
    );
  });

  test('keeps text apart from numbers, as the command line reads them', () => {
    expect(assignments({ cents: 5_000, currency: 'EUR', order: '81', ok: true, note: '', rest: undefined })).toEqual([
      'cents=5000',
      'currency=EUR',
      'order="81"',
      'ok=true',
      'note=""',
    ]);
  });
});

describe('a request that is copied', () => {
  test('names the token by its variable and quotes the body once', () => {
    const { curl } = copyForms('http://127.0.0.1:4000/api/v1', {
      cli: [],
      path: '/runs/ord_81/answer',
      body: { name: 'approval', value: { note: `it's fine` } },
      typescript: '',
    });
    expect(curl).toBe(
      `curl -H "Authorization: Bearer $HOLDFAST_TOKEN" -H 'Content-Type: application/json' -d '{"name":"approval","value":{"note":"it'\\''s fine"}}' http://127.0.0.1:4000/api/v1/runs/ord_81/answer`,
    );
  });
});

describe('literal()', () => {
  test('writes TypeScript as people do', () => {
    expect(literal({ order: 'ord_81', cents: 5, 'odd name': [true, null], skip: undefined })).toBe(
      `{ order: 'ord_81', cents: 5, 'odd name': [true, null] }`,
    );
    expect(literal(`it's "quoted"\n`)).toBe(`'it\\'s "quoted"\\n'`);
    expect(literal({})).toBe('{}');
  });
});
