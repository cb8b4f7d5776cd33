import { slice } from './runner/slice.ts';

slice('processes', { cycles: 1, hits: 1, promise: 'lets one process at a time write a run' });
