import type { RecordSource } from '../../record/record.ts';
import { isRecordSource } from '../../record/record-source.ts';
import { isRecordId } from '../../value/id.ts';
import { redacted } from './redact/patterns.ts';
import type { Redactor } from './redact/redact.ts';

/** A redacted value where only a text can be. */
export function shownText(value: unknown): string {
  return typeof value === 'string' ? value : redacted;
}

export function shownLabel(redactor: Redactor, label: unknown): string {
  return shownText(redactor.value(['label'], label));
}

/** An id has to stay an id, and the only one in its run. */
export function shownId(redactor: Redactor, id: unknown, seq: number): string {
  const shown = redactor.value(['ids'], id);
  return isRecordId(shown) ? shown : `redacted-${seq}`;
}

export function shownSource(redactor: Redactor, source: RecordSource): RecordSource {
  const shown = redactor.value(['sources'], source);
  return isRecordSource(shown) ? shown : 'custom:redacted';
}

export function shownLabels(redactor: Redactor, labels: readonly string[]): readonly string[] {
  const shown = redactor.value(['labels'], labels);
  return Array.isArray(shown)
    ? shown.map((label: unknown) => shownText(label) || redacted)
    : labels.map(() => redacted);
}
