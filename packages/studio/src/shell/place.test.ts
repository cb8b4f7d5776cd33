import { describe, expect, test } from 'vitest';
import { pathTo, placeOf } from './place.ts';

describe('placeOf()', () => {
  test.each([
    ['', 'overview'],
    ['runs', 'runs'],
    ['runs/ord_81', 'run'],
    ['runs/ord_81/takeover', 'run'],
    ['graphs', 'graphs'],
    ['graphs/refunds', 'graph'],
    ['compare', 'compare'],
    ['store', 'store'],
    ['nowhere', 'missing'],
    ['store/more', 'missing'],
    ['runs/a/b/c', 'missing'],
  ])('finds the page of /%s', (path, page) => {
    expect(placeOf(path, '').page).toBe(page);
  });

  test('keeps what is selected', () => {
    const place = placeOf('runs/ord_81/takeover', '?at=14&tab=diff');
    expect(place).toEqual({ page: 'run', name: 'ord_81', view: 'takeover', query: { at: '14', tab: 'diff' } });
  });

  test('takes any id through an address and back', () => {
    for (const id of ['a/b', 'nightly:2026-11-17T02:00Z', 'ü ?#%', 'a+b'])
      expect(placeOf(pathTo(['runs', id]), '').name).toBe(id);
  });

  test('does not fall over an address that is no UTF-8', () => {
    expect(placeOf('runs/%E0%A4%A', '').name).toBe('%E0%A4%A');
  });
});

describe('pathTo()', () => {
  test('leaves out what is empty', () => {
    expect(pathTo(['runs'], { q: 'status:failed', after: undefined, at: '' })).toBe('runs?q=status%3Afailed');
  });
});
