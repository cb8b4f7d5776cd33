import { diffChannels } from '../../../delta/diff-channels.ts';
import { restoreFrozen } from '../../../journal/checkpoint/restore-state.ts';
import { type State, savedHead } from '../../../journal/checkpoint/saved-checkpoint.ts';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { SnapshotKey } from '../../../store/contract/commit.ts';
import { isPlainObject } from '../../../value/codec/plain-object.ts';
import { frozenCopy } from '../../../value/frozen/frozen-copy.ts';
import { shownId, shownLabel } from '../shown-names.ts';
import type { Redactor } from './redact.ts';

/** What a snapshot consists of. */
export interface SnapshotParts {
  readonly head: unknown;
  readonly body: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Redacts the checkpoints of a journal run, in the order of the journal. Changes are computed again from the redacted
 * states, because a part of a redacted value cannot be changed. A state is whole if the one before it is not its base.
 */
export class RedactedCheckpoints {
  readonly #store: CheckedStore;
  readonly #runId: string;
  readonly #redactor: Redactor;
  #last: { readonly seq: number; readonly state: State } | undefined;

  constructor(store: CheckedStore, runId: string, redactor: Redactor) {
    this.#store = store;
    this.#runId = runId;
    this.#redactor = redactor;
  }

  async snapshot(snapshot: SnapshotParts & SnapshotKey): Promise<SnapshotParts> {
    const { head, body } = snapshot;
    const fields = isPlainObject(body) ? body : {};
    const redactedHead = this.#head(head as Fields, snapshot.seq);
    // A fork's own values, which another run's state is below.
    if ('set' in fields) return { head: redactedHead, body: { ...fields, set: this.#state(fields['set']) } };
    const placed = { runId: this.#runId, snapshot: { ...snapshot, ok: true } as const };
    const state = this.#state(await restoreFrozen(this.#store, placed));
    const { base } = savedHead(placed) ?? {};
    const last = this.#last;
    this.#last = { seq: snapshot.seq, state };
    if (base === undefined || last?.seq !== base.seq) {
      return { head: { ...redactedHead, base: undefined, depth: undefined, since: undefined }, body: { state } };
    }
    const { deltas, values } = diffChannels(last.state, state);
    this.#last = { seq: snapshot.seq, state: values };
    return { head: redactedHead, body: { delta: deltas } };
  }

  /** The stamp goes too: it would say that this is the checkpoint whose state someone may still have. */
  #head(head: Fields, seq: number): Fields {
    const { metadata, label, alias } = head;
    const redactor = this.#redactor;
    const shown = metadata === undefined ? undefined : redactor.value(['metadata'], metadata);
    return {
      ...head,
      stamp: undefined,
      ...(metadata !== undefined && { metadata: isPlainObject(shown) ? shown : { redacted: true } }),
      ...(label !== undefined && { label: shownLabel(redactor, label) }),
      ...(alias !== undefined && { alias: shownId(redactor, alias, seq) }),
    };
  }

  #state(state: unknown): State {
    const shown = this.#redactor.value(['state'], state);
    return frozenCopy(isPlainObject(shown) ? shown : { redacted: true });
  }
}
