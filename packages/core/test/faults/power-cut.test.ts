import { slice } from './runner/slice.ts';

slice('power', { cycles: 8, promise: 'keeps every commit that it acknowledged before a power cut' });
