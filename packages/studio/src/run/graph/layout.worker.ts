import { layOut } from './lay-out.ts';
import type { GraphStructure } from './shape.ts';

addEventListener('message', ({ data }: MessageEvent<GraphStructure>) => {
  postMessage(layOut(data));
});
