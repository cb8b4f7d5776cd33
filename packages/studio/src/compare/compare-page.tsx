import type { DiffJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { runOf, seqOf } from '../format/id.ts';
import { count, counted } from '../format/number.ts';
import { diffForms } from '../part/action-forms.ts';
import { Button } from '../part/button.tsx';
import { CopyAs } from '../part/copy/copy.tsx';
import { Segmented } from '../part/segmented.tsx';
import { Empty, Shown } from '../part/state.tsx';
import { place, select } from '../shell/router.ts';
import './compare.css';
import { ComparedSides } from './compared-sides.tsx';
import { DiffTable } from './diff-table.tsx';
import { PathSince } from './path-since.tsx';
import { channelsOf } from './side-by-side.ts';

const pageSize = 500;

/** The differences between any two states. */
export function ComparePage(): JSX.Element {
  const { a = '', b = '' } = place.value.query;
  const isGiven = a !== '' && b !== '';
  const loaded = useLoad(isGiven ? `diff ${a} ${b}` : undefined, () => client.diff(a, b, { limit: pageSize }), {
    isLive: false,
  });
  const channels = channelsOf(loaded.data?.changes ?? []);
  const all = useChannelCount(isGiven ? b : undefined);
  return (
    <div class="page cp">
      <div class="head">
        <h1>Compare</h1>
        <p>{loaded.data !== undefined && factOf(loaded.data, channels.length, all)}</p>
        <span class="grow" />
        {isGiven && <Layout />}
        {isGiven && <CopyAs given={() => diffForms(a, b)} />}
      </div>
      <ComparedSides key={`${a} ${b}`} a={a} b={b} />
      {isGiven ? (
        <Shown of={loaded} what="differences">
          {(diff) => <Differences diff={diff} all={all} a={a} b={b} />}
        </Shown>
      ) : (
        <section class="card">
          <Empty title="Choose two states" command="holdfast diff ord_81@14 what-if-50">
            Each is a run, or one of its checkpoints: ord_81@14. On the page of a run, <kbd>v</kbd> marks a checkpoint.
          </Empty>
        </section>
      )}
    </div>
  );
}

/** How many channels a state has. */
function useChannelCount(checkpoint: string | undefined): number | undefined {
  const loaded = useLoad(
    checkpoint === undefined ? undefined : `channels ${checkpoint}`,
    () => {
      const seq = seqOf(checkpoint ?? '');
      return client.state(runOf(checkpoint ?? ''), { depth: 1, n: 1, ...(seq !== undefined && { at: checkpoint }) });
    },
    { isLive: false },
  );
  return loaded.data?.node?.size;
}

function factOf({ changes, next }: DiffJson, channels: number, all: number | undefined): string {
  if (changes.length === 0) return 'The states are the same.';
  const many = next === null ? counted(changes.length, 'change') : `the first ${counted(changes.length, 'change')}`;
  // A channel that only the other state has is not among those of this one.
  return all === undefined || channels > all
    ? `${many} in ${counted(channels, 'channel')}`
    : `${many} in ${channels} of ${counted(all, 'channel')}`;
}

function Layout(): JSX.Element {
  const view = place.value.query['view'] === 'lines' ? 'lines' : 'sides';
  return (
    <span class="hide-n">
      <Segmented
        label="Layout"
        choices={[
          ['sides', 'Side by side'],
          ['lines', 'Lines'],
        ]}
        chosen={view}
        onChoose={(next) => select({ view: next === 'lines' ? next : undefined })}
      />
    </span>
  );
}

interface DifferencesProps {
  readonly diff: DiffJson;
  /** How many channels there are, those that are the same included. */
  readonly all: number | undefined;
  readonly a: string;
  readonly b: string;
}

function Differences({ diff, all, a, b }: DifferencesProps): JSX.Element {
  const [more, setMore] = useState<DiffJson>();
  const changes = [...diff.changes, ...(more?.changes ?? [])];
  const next = more === undefined ? diff.next : more.next;
  const channels = channelsOf(changes);
  const load = async (after: number): Promise<void> => {
    const page = await client.diff(a, b, { after, limit: pageSize });
    setMore({ changes: [...(more?.changes ?? []), ...page.changes], next: page.next });
  };
  return (
    <div class="cg">
      <nav class="card ch" aria-label="Changed channels">
        <header>
          <h2>Channels</h2>
        </header>
        <ul>
          {channels.map(({ name, op, changes: own }) => (
            <li key={name}>
              <a href={`#${anchorOf(name)}`} onClick={(event) => scrollToChannel(event, name)}>
                <span class={`op o${op === '~' ? 'c' : op === '+' ? 'a' : 'd'}`}>{op}</span>
                <code class="grow cut">{name}</code>
                <span class="faint">{own.length}</span>
              </a>
            </li>
          ))}
          {channels.length === 0 && <li class="quiet">None differs.</li>}
          {all !== undefined && all > channels.length && channels.length > 0 && next === null && (
            <li class="faint same">{count(all - channels.length)} unchanged</li>
          )}
        </ul>
      </nav>
      <div class="cr">
        {channels.length > 0 && (
          <DiffTable channels={channels} isUnified={place.value.query['view'] === 'lines'} anchorOf={anchorOf} />
        )}
        {next !== null && (
          <div class="row">
            <Button onClick={() => void load(next)}>Show more changes</Button>
          </div>
        )}
        <PathSince a={a} b={b} />
      </div>
    </div>
  );
}

function anchorOf(channel: string): string {
  return `channel-${encodeURIComponent(channel)}`;
}

function scrollToChannel(event: MouseEvent, channel: string): void {
  event.preventDefault();
  const heading = document.querySelector<HTMLElement>(`#${CSS.escape(anchorOf(channel))}`);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus();
}
