import type { PruneBody, PrunedJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { bytes, count, counted, percent } from '../format/number.ts';
import { pruneForms } from '../part/action-forms.ts';
import { CommandButton } from '../part/button.tsx';
import { CommandLine, CopyAs } from '../part/copy/copy.tsx';
import { Shown } from '../part/state.tsx';
import { PruneDialog } from './prune-dialog.tsx';
import { type PruneForm, policyOf, reasonsOf, statusChoices } from './prune-policy.ts';

interface PruneProps {
  /** The size of the store. */
  readonly total: number;
  readonly onPruned: () => void;
}

/** What a prune would drop and what it would leave, before anything is dropped. */
export function PruneCard(props: PruneProps): JSX.Element {
  const [form, setForm] = useState<PruneForm>({ olderThan: '30d', keep: '5', status: 'completed, cancelled' });
  const read = policyOf(form);
  return (
    <section class="card prune">
      <header>
        <h2>Prune</h2>
        <span class="cnt">preview, nothing is dropped yet</span>
      </header>
      <PruneFields form={form} onChange={setForm} />
      {'problem' in read ? (
        <p class="err" role="alert">
          {read.problem}
        </p>
      ) : (
        <Preview key={JSON.stringify(read.policy)} policy={read.policy} {...props} />
      )}
    </section>
  );
}

function PruneFields({
  form,
  onChange,
}: {
  readonly form: PruneForm;
  readonly onChange: (form: PruneForm) => void;
}): JSX.Element {
  const id = useId();
  return (
    <div class="pf">
      <div class="field">
        <label for={`${id}-age`}>Older than</label>
        <input
          id={`${id}-age`}
          class="in"
          value={form.olderThan}
          onInput={(event) => onChange({ ...form, olderThan: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-keep`}>Keep newest</label>
        <input
          id={`${id}-keep`}
          class="in"
          inputMode="numeric"
          value={form.keep}
          onInput={(event) => onChange({ ...form, keep: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-status`}>Status</label>
        <select
          id={`${id}-status`}
          class="in"
          value={form.status}
          onChange={(event) => onChange({ ...form, status: event.currentTarget.value as PruneForm['status'] })}
        >
          {Object.keys(statusChoices).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function Preview({ policy, total, onPruned }: PruneProps & { readonly policy: PruneBody }): JSX.Element {
  const loaded = useLoad(`prune ${JSON.stringify(policy)}`, () => client.prune(policy), { isLive: false });
  const [isAsking, setAsking] = useState(false);
  return (
    <Shown of={loaded} what="what a prune would drop" rows={4}>
      {(report) => (
        <>
          <Figures report={report} total={total} />
          <Reasons report={report} />
          <CommandLine command={pruneForms({ ...policy, apply: true }).cli} />
          <div class="row">
            <CommandButton kind="danger" icon="trash" isDisabled={report.pruned === 0} onClick={() => setAsking(true)}>
              Prune {counted(report.pruned, 'checkpoint')}…
            </CommandButton>
            <span class="faint hide-n">{report.pruned === 0 ? 'nothing to drop' : 'asks once more'}</span>
            <span class="grow" />
            <CopyAs isSmall kind="ghost" given={() => pruneForms({ ...policy, apply: true })} />
          </div>
          {isAsking && (
            <PruneDialog
              policy={policy}
              report={report}
              onClose={() => setAsking(false)}
              onPruned={() => {
                loaded.reload();
                onPruned();
              }}
            />
          )}
        </>
      )}
    </Shown>
  );
}

function Figures({ report, total }: { readonly report: PrunedJson; readonly total: number }): JSX.Element {
  return (
    <div class="res">
      <div>
        <b>{count(report.pruned)}</b>
        <span class="muted">checkpoints of {counted(report.runs, 'run')} are dropped</span>
      </div>
      <div>
        <b>{bytes(report.bytes)}</b>
        <span class="muted">freed, {percent(Math.min(report.bytes, total), total)}</span>
      </div>
    </div>
  );
}

function Reasons({ report }: { readonly report: PrunedJson }): JSX.Element | null {
  const reasons = reasonsOf(report);
  if (reasons.length === 0) return null;
  return (
    <>
      <h3>What stays, and why</h3>
      <ul class="why">
        {reasons.map(({ name, text, count: kept }) => (
          <li key={name}>
            <code>{name}</code>
            <span class="muted grow cut">{text}</span>
            <span>{count(kept)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
