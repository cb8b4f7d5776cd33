import { describe, expect, test } from 'vitest';
import { Keyring } from './keyring.ts';
import type { Secret } from './secret.ts';

const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const november = { id: '2026-11', key: bytes(11) };
const december = { id: '2026-12', key: bytes(12) };
const place = { where: 'run@3', bound: '["run",3,"note"]' };
const text = 'j{"card":"4111 1111 — 🚀"}';

function altered({ key, data }: Secret, at: number): Secret {
  const changed = Buffer.from(data, 'base64url');
  changed[at] = (changed[at] as number) ^ 1;
  return { key, data: changed.toString('base64url') };
}

describe('Keyring', () => {
  test('reads what it has hidden, and shows nothing of it', () => {
    const keyring = new Keyring([november]);
    const secret = keyring.hide(text, place);
    expect(secret.key).toBe('2026-11');
    expect(Buffer.from(secret.data, 'base64url').includes('4111')).toBe(false);
    expect(keyring.read(secret, place)).toBe(text);
    expect(new Keyring([november]).read(secret, place)).toBe(text);
  });

  test('never hides the same text the same way', () => {
    const keyring = new Keyring([november]);
    const hidden = Array.from({ length: 100 }, () => keyring.hide('j1', place).data);
    expect(new Set(hidden).size).toBe(100);
  });

  test('takes another salt after a while, so that nonces never run out', () => {
    const keyring = new Keyring([november], 2);
    const secrets = Array.from({ length: 6 }, () => keyring.hide(text, place));
    expect(new Set(secrets.map(({ data }) => data.slice(0, 16))).size).toBe(3);
    for (const secret of secrets) expect(keyring.read(secret, place)).toBe(text);
  });

  test('writes with the first key and reads with all of them', () => {
    const old = new Keyring([november]).hide(text, place);
    const keyring = new Keyring([december, november]);
    expect(keyring.read(old, place)).toBe(text);
    expect(keyring.hide(text, place).key).toBe('2026-12');
    expect([keyring.has('2026-11'), keyring.has('2026-10')]).toEqual([true, false]);
  });

  test('reads what many others have written, in any order', () => {
    const keyring = new Keyring([november]);
    const secrets = Array.from({ length: 300 }, (_, at) => new Keyring([november]).hide(`j${at}`, place));
    for (let round = 0; round < 2; round += 1) {
      for (const [at, secret] of secrets.entries()) expect(keyring.read(secret, place)).toBe(`j${at}`);
    }
  });

  test('does not depend on bytes that its owner may wipe', () => {
    const key = bytes(5);
    const keyring = new Keyring([{ id: 'k', key }]);
    key.fill(0);
    const secret = keyring.hide(text, place);
    expect(new Keyring([{ id: 'k', key: bytes(5) }]).read(secret, place)).toBe(text);
  });

  test('names the key that is missing and the place', () => {
    const secret = new Keyring([november]).hide(text, place);
    expect(() => new Keyring([december]).read(secret, place)).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_MISSING_KEY',
        details: { key: '2026-11', where: 'run@3' },
        message: expect.stringMatching(/run@3.*"2026-11"/),
      }),
    );
  });

  test('tells a wrong key from a changed text', () => {
    const secret = new Keyring([november]).hide(text, place);
    const wrong = new Keyring([{ id: '2026-11', key: bytes(99) }]);
    expect(() => wrong.read(secret, place)).toThrow(
      expect.objectContaining({
        code: 'HOLDFAST_WRONG_KEY',
        details: { key: '2026-11', where: 'run@3' },
        message: expect.stringMatching(/run@3.*"2026-11"/),
      }),
    );
  });

  test('refuses a change of any byte, and another place', () => {
    const keyring = new Keyring([november]);
    const secret = keyring.hide(text, place);
    const length = Buffer.from(secret.data, 'base64url').length;
    for (let at = 0; at < length; at += 1) {
      // The first 16 bytes say which derived key it was.
      const code = at < 16 ? 'HOLDFAST_WRONG_KEY' : 'HOLDFAST_CORRUPT';
      expect(() => keyring.read(altered(secret, at), place)).toThrow(expect.objectContaining({ code }));
    }
    const elsewhere = { where: 'run@4', bound: '["run",4,"note"]' };
    expect(() => keyring.read(secret, elsewhere)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_CORRUPT', details: { key: '2026-11', where: 'run@4' } }),
    );
  });

  test.each(['', 'AAAA', '!', 'not base64 at all, and much too long to be taken for an empty text of any kind'])(
    'refuses the data "%s"',
    (data) => {
      expect(() => new Keyring([november]).read({ key: '2026-11', data }, place)).toThrow(
        expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }),
      );
    },
  );

  test('refuses another spelling of the same bytes', () => {
    const keyring = new Keyring([november]);
    const { key, data } = keyring.hide('j1', place);
    expect(() => keyring.read({ key, data: `${data}=` }, place)).toThrow(
      expect.objectContaining({ code: 'HOLDFAST_CORRUPT' }),
    );
  });
});
