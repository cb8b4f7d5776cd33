import { slice } from './runner/slice.ts';

slice('kill', { cycles: 5, hits: 3, promise: 'keeps every commit that it acknowledged before a kill -9' });
