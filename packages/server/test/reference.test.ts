import { expect, test } from 'vitest';
import { httpReference } from './http-reference.ts';

test('docs/guides/http-api.md is what the routes say', async () => {
  await expect(httpReference()).toMatchFileSnapshot('../../../docs/guides/http-api.md');
});
