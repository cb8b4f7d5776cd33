import { slice } from './runner/slice.ts';

slice('kill', { cycles: 5, promise: 'keeps every commit that it acknowledged before a kill -9' });
