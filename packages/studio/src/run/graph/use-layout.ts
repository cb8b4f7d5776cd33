import { useEffect, useState } from 'preact/hooks';
import type { Drawing, GraphStructure } from './shape.ts';
import { countNodes } from './shape.ts';

/** From here on the layout would hold the page up. */
const largeGraph = 200;

/** Where a graph's nodes are. Undefined until that is known; the code for it is loaded when a graph is drawn. */
export function useLayout(structure: GraphStructure | undefined): Drawing | undefined {
  const [drawn, setDrawn] = useState<{ readonly of: GraphStructure; readonly drawing: Drawing }>();
  useEffect(() => {
    if (structure === undefined) return undefined;
    let isWanted = true;
    const show = (drawing: Drawing): void => {
      if (isWanted) setDrawn({ of: structure, drawing });
    };
    if (countNodes(structure) > largeGraph) {
      const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }: MessageEvent<Drawing>) => show(data));
      // A worker's messages have no origin to name.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(structure);
      return () => {
        isWanted = false;
        worker.terminate();
      };
    }
    void import('./lay-out.ts').then(({ layOut }) => show(layOut(structure)));
    return () => {
      isWanted = false;
    };
  }, [structure]);
  return drawn?.of === structure ? drawn?.drawing : undefined;
}
