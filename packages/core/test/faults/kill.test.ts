import { slice } from './runner/slice.ts';

slice('kill', { cycles: 8, promise: 'keeps every commit that it acknowledged before a kill -9' });
