import fc from 'fast-check';
import { describe, test } from 'vitest';
import { postgresPlace } from '../../testing/postgres/postgres-places.ts';
import { storeSuite } from '../../testing/store-suite.ts';

storeSuite({ describe, test, create: postgresPlace, model: { fc, numRuns: 25 } });
