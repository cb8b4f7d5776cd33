import type { AskJson, Json } from '@holdfast/server/client';

/** An answer that somebody is writing, or has given from here. */
export interface Writing {
  readonly ask: AskJson;
  readonly value: Json | undefined;
  readonly isSent: boolean;
}
