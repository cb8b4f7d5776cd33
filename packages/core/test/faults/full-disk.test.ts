import { slice } from './runner/slice.ts';

slice('full-disk', {
  cycles: 1,
  hits: 1,
  promise: 'refuses commits while the disk is full, and continues when it is not',
});
