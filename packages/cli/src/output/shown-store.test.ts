import { expect, test } from 'vitest';
import { shownStore } from './shown-store.ts';

test.each([
  ['postgres://ada:hunter2@db/runs?schema=x', 'postgres://ada:***@db/runs?schema=x'],
  ['postgresql://ada:hun@ter2@db/runs', 'postgresql://ada:***@db/runs'],
  ['postgres://ada:hun/ter2@db:5432/runs', 'postgres://ada:***@db:5432/runs'],
  ['postgres://ada:hunter2', 'postgres://ada:***'],
  ['postgres://ada:hunter2/runs', 'postgres://ada:***'],
  ['postgres:ada:hunter2', 'postgres:ada:***'],
  ['postgres://ada@db/runs?password=x@hunter2', 'postgres://ada@db/runs?password=***'],
  ['mysql://ada:hunter2@db/runs', 'mysql://ada:***@db/runs'],
  ['sqlite:runs.db?key=hunter2', 'sqlite:runs.db?key=***'],
  ['sqlite://ada:hunter2@db/runs', 'sqlite://ada:***@db/runs'],
  ['file:runs?password=hunter2', 'file:runs?password=***'],
])('hides the password of %s', (url, shown) => {
  expect(shownStore(url)).toBe(shown);
});

test.each([
  'postgres://ada@db/runs',
  'postgres://db:5432/runs',
  'postgres://a:1,b:2/runs',
  'postgres://db',
  'postgres:///runs?schema=x',
  'sqlite:runs.db',
  'file:a@b:c',
])('leaves %s as it is', (url) => {
  expect(shownStore(url)).toBe(url);
});
