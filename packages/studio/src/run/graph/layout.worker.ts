import type { GraphStructure } from 'holdfast';
import { layOut } from './lay-out.ts';

addEventListener('message', ({ data }: MessageEvent<GraphStructure>) => {
  postMessage(layOut(data));
});
