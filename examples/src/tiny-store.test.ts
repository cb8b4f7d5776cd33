import fc from 'fast-check';
import { storeSuite } from 'holdfast/testing';
import { describe, test } from 'vitest';
import { tinyStore } from './tiny-store.ts';

storeSuite({ describe, test, create: () => ({ store: tinyStore() }), model: { fc } });
