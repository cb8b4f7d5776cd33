import { slice } from './runner/slice.ts';

slice('power', { cycles: 5, hits: 2, promise: 'keeps every commit that it acknowledged before a power cut' });
