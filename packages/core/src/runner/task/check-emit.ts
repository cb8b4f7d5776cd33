import { checkBySchema } from '../../channel/standard-schema.ts';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import { badValue } from './call/call-errors.ts';

/** Validates an emitted value. The journal keeps a copy, so later changes to the original have no effect. */
export function checkEmit({ name, emits }: CompiledGraph, data: unknown): unknown {
  if (emits === undefined) return data;
  const checked = checkBySchema(emits, data, (refusal) => badValue(`The value that "${name}" emits`, name, refusal));
  if (!(checked instanceof Promise)) return checked;
  checked.catch(() => undefined);
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `The emit schema of "${name}" is asynchronous, but emit() is synchronous. Use a synchronous schema.`,
    {
      details: { graph: name, option: 'emits' },
    },
  );
}
