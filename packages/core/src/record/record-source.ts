import type { RecordSource } from './record.ts';

const fixed: ReadonlySet<unknown> = new Set(['input', 'output', 'tool', 'system']);
const custom = 'custom:';

/** Whether this is a valid record source. */
export function isRecordSource(value: unknown): value is RecordSource {
  if (fixed.has(value)) return true;
  return typeof value === 'string' && value.startsWith(custom) && value.length > custom.length;
}
