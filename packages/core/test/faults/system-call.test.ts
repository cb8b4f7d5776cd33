import { slice } from './runner/slice.ts';

slice('syscall', {
  cycles: 1_000,
  every: 131,
  promise: 'loses nothing whichever system call is the last or fails',
});
