import type { RunEvent } from 'holdfast';
import type { EventJson } from '../schema/types.ts';
import { type Json, plain } from './plain.ts';
import type { Redactor } from './redact.ts';
import { waitJson } from './run-json.ts';

/** An event as JSON. */
export function eventJson(event: RunEvent, redactor: Redactor): EventJson {
  const { cursor, seq, at, type } = event;
  return { ...fieldsOf(event, redactor), cursor, seq, at: at.toISOString(), type };
}

type Fields = Readonly<Record<string, Json>>;

function fieldsOf(event: RunEvent, redactor: Redactor): Fields {
  const fields = plain(event) as Fields;
  switch (event.type) {
    case 'emit':
      return { ...fields, data: redactor.value(['emits'], event.data) };
    case 'node-error':
    case 'step-error':
    case 'refused':
      return { ...fields, error: redactor.value(['errors'], event.error) };
    case 'log': {
      const { message, data } = event;
      return { ...fields, ...(redactor.value(['logs'], { message, data }) as Fields) };
    }
    case 'wait':
      return { ...fields, wait: plain(waitJson(event.wait, redactor)) };
    case 'wait-end':
      return event.by === undefined ? fields : { ...fields, by: redactor.value(['by'], event.by) };
    default:
      return fields;
  }
}
