import type { ForkBody, Json } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { useLoad } from '../../api/use-load.ts';
import { cutId } from '../../format/id.ts';
import { counted } from '../../format/number.ts';
import { forkForms } from '../../part/action-forms.ts';
import { Button, CommandButton } from '../../part/button.tsx';
import { CopyAs } from '../../part/copy/copy.tsx';
import { Dialog } from '../../part/dialog.tsx';
import { Icon } from '../../part/icon.tsx';
import { Note } from '../../part/note.tsx';
import { Segmented } from '../../part/segmented.tsx';
import { Shown } from '../../part/state.tsx';
import { go, hrefTo } from '../../shell/router.ts';
import { JsonEditor } from '../editor/json-editor.tsx';
import { isFields } from '../fold/payload.ts';
import type { TreeRow } from '../history/fork-tree.ts';
import { type ForkStart, useRunContext } from '../page/run-context.ts';
import { Consequences } from './consequences.tsx';
import { editedChannels, patchOf, readEdited, removedChannels } from './fork-plan.ts';
import './fork.css';

/** Forks a run: edit the state, see the patch, what is reused and what runs again, then confirm. */
export function ForkDialog({
  start,
  onClose,
}: {
  readonly start: ForkStart & { readonly row: TreeRow };
  readonly onClose: () => void;
}): JSX.Element | null {
  const { run } = useRunContext();
  const { row } = start;
  const base = row.checkpoint;
  const state = useLoad(`fork ${base}`, () => client.state(row.runId, { at: base, as: 'json' }), { isLive: false });
  // The dialog is there once the state is: one that is replaced would close itself.
  if (state.data === undefined && state.error === undefined) return null;
  const json = state.data?.json;
  return (
    <Shell
      start={start}
      runId={row.runId === '' ? run.id : row.runId}
      before={isFields(json) ? json : undefined}
      loading={
        <Shown of={state} what="the state" rows={8}>
          {() => (
            <p class="quiet">
              The server does not send this state whole. Fork it without changes, or from the command line.
            </p>
          )}
        </Shown>
      }
      onClose={onClose}
    />
  );
}

interface ShellProps {
  readonly start: ForkStart & { readonly row: TreeRow };
  readonly runId: string;
  readonly before: Readonly<Record<string, Json>> | undefined;
  readonly loading: JSX.Element;
  readonly onClose: () => void;
}

/** The edited state, and the fork that it makes. */
function useForkDraft({ start, before }: Pick<ShellProps, 'start' | 'before'>) {
  const { row } = start;
  const first = before === undefined ? '' : JSON.stringify(before, null, 2);
  const [text, setText] = useState(first);
  const declared = useNext(row);
  const [next, setNext] = useState<readonly string[]>(declared);
  const [id, setId] = useState('');
  const [label, setLabel] = useState(start.label ?? '');
  const edited = useMemo(() => (before === undefined ? undefined : readEdited(text)), [text, before]);
  const state = before === undefined ? undefined : edited?.state;
  const set = before === undefined || state === undefined ? {} : editedChannels(before, state);
  const removed = before === undefined || state === undefined ? [] : removedChannels(before, state);
  const patch = useMemo(() => patchOf(before ?? {}, { ...before, ...set }), [text, before]);
  const missing = removed.length > 0 ? `A fork cannot take a channel away: ${removed.join(', ')}.` : undefined;
  const body: ForkBody = {
    at: row.checkpoint,
    ...(Object.keys(set).length > 0 && { set }),
    ...(JSON.stringify(next) !== JSON.stringify(declared) && { next }),
    ...(label !== '' && { label }),
    ...(id !== '' && { id }),
  };
  const problem = edited?.problem ?? missing;
  return { first, text, setText, next, setNext, id, setId, label, setLabel, patch, problem, body };
}

type ForkDraft = ReturnType<typeof useForkDraft>;

function Shell({ start, runId, before, loading, onClose }: ShellProps): JSX.Element {
  const { row, answer } = start;
  const draft = useForkDraft({ start, before });
  const fork = useFork(runId, draft.body, { answer, onClose });
  const isOff = fork.isBusy || draft.problem !== undefined;
  const title = (
    <>
      <Icon name="fork" /> Fork from <code>{`${cutId(row.runId)}@${row.checkpoint.split('@').at(-1)}`}</code>
    </>
  );
  const footer = (
    <>
      <Names draft={draft} />
      <span class="grow" />
      <CopyAs isSmall kind="ghost" given={() => forkForms(runId, draft.body)} />
      <Button class="hide-n" onClick={onClose}>
        Close
      </Button>
      {answer === undefined && (
        <CommandButton isDisabled={isOff} onClick={() => void fork.give(true)}>
          Fork and resume
        </CommandButton>
      )}
      <CommandButton kind="primary" isDisabled={isOff} onClick={() => void fork.give(false)}>
        {answer === undefined ? 'Fork, suspended' : 'Fork and answer'}
      </CommandButton>
    </>
  );
  return (
    <Dialog title={title} fact={forkFact(row, draft.next)} onClose={onClose} footer={footer}>
      <div class="fk">
        <StateSide draft={draft} loading={before === undefined ? loading : undefined} />
        <section class="rc" aria-label="What the fork does">
          {fork.error !== undefined && (
            <Note kind="failed" icon="warn">
              <b>The fork was refused.</b> {fork.error.message}
            </Note>
          )}
          <Consequences
            row={row}
            patch={draft.patch}
            next={draft.next}
            id={draft.id}
            isAnswered={answer !== undefined}
          />
        </section>
      </div>
    </Dialog>
  );
}

function Names({ draft: { id, setId, label, setLabel } }: { readonly draft: ForkDraft }): JSX.Element {
  const ids = useId();
  return (
    <div class="ff">
      <label for={`${ids}-id`}>Id</label>
      <input
        id={`${ids}-id`}
        class="in mono"
        placeholder="made up"
        value={id}
        onInput={(event) => setId(event.currentTarget.value.trim())}
      />
      <label for={`${ids}-label`}>Label</label>
      <input
        id={`${ids}-label`}
        class="in"
        placeholder="optional"
        value={label}
        onInput={(event) => setLabel(event.currentTarget.value)}
      />
    </div>
  );
}

interface StateSideProps {
  readonly draft: ForkDraft;
  /** Shown in place of the editor. */
  readonly loading: JSX.Element | undefined;
}

function StateSide({ draft, loading }: StateSideProps): JSX.Element {
  const { first, text, setText, next, setNext, patch, problem } = draft;
  const [view, setView] = useState<'state' | 'next'>('state');
  const editor = loading ?? (
    <JsonEditor label="State as JSON" isLarge isBad={problem !== undefined} value={text} onChange={setText} />
  );
  return (
    <section class="edc" aria-label="State of the fork">
      <div class="sh">
        <h2>State</h2>
        <span class="muted">{counted(patch.length, 'edit')}</span>
        {problem !== undefined && (
          <span class="err">
            <Icon name="warn" />1 problem
          </span>
        )}
        <span class="grow" />
        {text !== first && (
          <Button isSmall kind="ghost" onClick={() => setText(first)}>
            Undo all
          </Button>
        )}
        <Segmented label="Edit" choices={views} chosen={view} onChoose={setView} />
      </div>
      {view === 'next' ? <NextNodes next={next} onChange={setNext} /> : editor}
      {problem !== undefined && (
        <p class="err edproblem" role="alert">
          <Icon name="warn" />
          {problem}
        </p>
      )}
    </section>
  );
}

const views = [
  ['state', 'State'],
  ['next', 'Next node'],
] as const;

function forkFact(row: TreeRow, next: readonly string[]): string {
  const after = row.isHead ? '' : row.nodes.length > 0 ? `after ${row.name}` : row.name;
  return [after, next.length > 0 ? `before ${next.join(', ')}` : 'at the end'].filter((part) => part !== '').join(', ');
}

/** The nodes that come next at the checkpoint. */
function useNext(row: TreeRow): readonly string[] {
  const { model } = useRunContext();
  const checkpoints = model.branches.value.flatMap(({ checkpoints }) => checkpoints);
  return checkpoints.find(({ id }) => id === row.checkpoint)?.next ?? row.nodes;
}

function useFork(
  runId: string,
  body: ForkBody,
  { answer, onClose }: { readonly answer: ForkStart['answer']; readonly onClose: () => void },
) {
  const { model } = useRunContext();
  const command = useCommand(
    async (isResumed: boolean) => {
      const { run } = await client.fork(runId, { ...body, ...(isResumed && { resume: true }) });
      if (answer !== undefined) await client.answer(run.id, answer.name, answer.value);
      return run;
    },
    (run) => `Forked as ${run.id}.`,
  );
  const give = async (isResumed: boolean): Promise<void> => {
    const run = await command.give(isResumed);
    if (run === undefined) return;
    onClose();
    await model.beat();
    go(hrefTo(['runs', run.id]));
  };
  return { ...command, give };
}

/** Which nodes come next, if not those that did. */
function NextNodes({
  next,
  onChange,
}: {
  readonly next: readonly string[];
  readonly onChange: (next: readonly string[]) => void;
}): JSX.Element {
  const { model } = useRunContext();
  const nodes = model.graph.value?.structure.nodes ?? [];
  if (nodes.length === 0)
    return <p class="quiet">This server does not have the code of the graph, and cannot name its nodes.</p>;
  return (
    <fieldset class="nextnodes">
      <legend class="muted">The fork continues with:</legend>
      {nodes.map(({ name }) => (
        <label key={name}>
          <input
            type="checkbox"
            class="chk"
            checked={next.includes(name)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...next, name] : next.filter((each) => each !== name))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
