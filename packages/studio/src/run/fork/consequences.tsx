import type { ChangeJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { cutId } from '../../format/id.ts';
import { Icon } from '../../part/icon.tsx';
import { Note } from '../../part/note.tsx';
import { Mark } from '../../part/status.tsx';
import { jsonLines } from '../diff/diff-rows.ts';
import type { TreeRow } from '../history/fork-tree.ts';
import { useRunContext } from '../page/run-context.ts';
import { type RunsAgain, reusedBy, runsAgain } from './fork-plan.ts';

const mostReused = 5;

interface ConsequencesProps {
  readonly row: TreeRow;
  readonly patch: readonly ChangeJson[];
  readonly next: readonly string[];
  readonly id: string;
  readonly isAnswered: boolean;
}

/** The patch, what is reused, what runs again, and how the history looks afterwards. */
export function Consequences({ row, patch, next, id, isAnswered }: ConsequencesProps): JSX.Element {
  const { model, story, run } = useRunContext();
  const structure = model.graph.value?.structure;
  const withEffects = model.children.value.filter((child) => child.story.onceNodes.size > 0);
  const childEffects = new Set(withEffects.map(({ node }) => node));
  const again = runsAgain(structure, next, { story, childEffects });
  return (
    <>
      <Heading
        title="Patch"
        fact={patch.length === 0 ? 'the state stays as it is' : 'set past the reducers, validated'}
      />
      {patch.length > 0 && <Patch patch={patch} />}
      <ReusedList row={row} />
      <Heading title="Runs again" fact={again.length === 0 ? 'nothing: this is the end' : 'with keys of its own'} />
      {again.length > 0 && (
        <ul class="wl">
          {again.map((each) => (
            <Again key={each.node} again={each} />
          ))}
        </ul>
      )}
      <EffectNote effects={again.filter(({ hasEffect }) => hasEffect)} isAnswered={isAnswered} />
      <Heading title="Afterwards" fact={`${cutId(run.id)} stays as it is`} />
      <Afterwards row={row} id={id} />
    </>
  );
}

function Heading({ title, fact }: { readonly title: string; readonly fact: string }): JSX.Element {
  return (
    <div class="sh">
      <h2>{title}</h2>
      <span class="muted cut">{fact}</span>
    </div>
  );
}

function ReusedList({ row }: Pick<ConsequencesProps, 'row'>): JSX.Element {
  const { own } = useRunContext();
  const reused = reusedBy(own, row.checkpoint);
  if (reused.length === 0) return <Heading title="Reused" fact="the input alone" />;
  // In the order in which they ran, like what runs again.
  const shown = reused.slice(0, mostReused).toReversed();
  return (
    <>
      <Heading title="Reused" fact={`shared with ${cutId(row.runId)}, nothing is copied`} />
      <ul class="wl">
        {reused.length > mostReused && (
          <li>
            <span class="muted">and {(reused.length - mostReused).toLocaleString('en-US')} earlier ones</span>
          </li>
        )}
        {shown.map(({ id: key, name, seq }) => (
          <li key={key}>
            <Icon name="check" />
            <span class="med cut">{name}</span>
            <span class="muted">@{seq}</span>
            <span class="grow" />
            <Mark mark="kept">reused</Mark>
          </li>
        ))}
      </ul>
    </>
  );
}

function Again({ again: { node, when, hasEffect, note } }: { readonly again: RunsAgain }): JSX.Element {
  return (
    <li class={hasEffect ? 'w' : ''}>
      <Icon name={hasEffect ? 'bolt' : when === 'next' ? 'resume' : 'right'} />
      <span class="med">{node}</span>
      <span class="muted cut">{note}</span>
      <span class="grow" />
      {hasEffect ? (
        <span class="mark wa">
          <Icon name="warn" />
          real effect
        </span>
      ) : when === 'next' ? (
        <Mark mark="executed">runs</Mark>
      ) : (
        <span class="mark ke">may run</span>
      )}
    </li>
  );
}

function EffectNote({
  effects,
  isAnswered,
}: {
  readonly effects: readonly RunsAgain[];
  readonly isAnswered: boolean;
}): JSX.Element {
  if (effects.length === 0)
    return (
      <Note kind="info" icon="info">
        This run has recorded no once effect after this checkpoint. Steps that call services call them again.{' '}
        {isAnswered ? '' : 'The fork stays suspended until you resume it.'}
      </Note>
    );
  const names = effects.map(({ node }) => node).join(', ');
  return (
    <Note kind="waiting" icon="warn">
      <b>
        This fork {effects.length === 1 ? 'repeats a real effect' : `repeats ${effects.length} real effects`}: {names}.
      </b>{' '}
      {isAnswered ? 'With your answer it continues at once.' : 'It stays suspended until you resume it.'}
    </Note>
  );
}

function Patch({ patch }: { readonly patch: readonly ChangeJson[] }): JSX.Element {
  return (
    <div class="df pt">
      {patch.flatMap(({ path, before, after }) => [
        ...(before === undefined
          ? []
          : [<PatchLine key={`- ${path}`} sign="−" path={path} value={jsonLines(before).join(' ')} />]),
        ...(after === undefined
          ? []
          : [<PatchLine key={`+ ${path}`} sign="+" path={path} value={jsonLines(after).join(' ')} />]),
      ])}
    </div>
  );
}

function PatchLine({
  sign,
  path,
  value,
}: {
  readonly sign: '+' | '−';
  readonly path: string;
  readonly value: string;
}): JSX.Element {
  return (
    <div class={sign === '+' ? 'p' : 'm'}>
      <span class="g_">{sign}</span>
      <span class="ptl" title={`${path} ${value}`}>
        <span class="ptp cut">{path}</span>
        <span class="cut">{sign === '+' ? <ins>{value}</ins> : <del>{value}</del>}</span>
      </span>
    </div>
  );
}

/** The lane of the base with the new one bending off. */
function Afterwards({ row, id }: { readonly row: TreeRow; readonly id: string }): JSX.Element {
  const { own } = useRunContext();
  const checkpoints = own.toReversed().filter(({ isHead }) => !isHead);
  const at = Math.max(
    0,
    checkpoints.findIndex((each) => each.id === row.checkpoint),
  );
  const shown = checkpoints.slice(Math.max(0, at - 3), at + 3);
  const place = shown.findIndex((each) => each.id === row.checkpoint);
  const x = (index: number): number => 14 + index * (400 / Math.max(5, shown.length));
  const base = x(Math.max(0, place));
  const head = own[0];
  return (
    <svg
      class="pv"
      viewBox="0 0 520 62"
      fill="none"
      stroke-width="2"
      role="img"
      aria-label={`The fork begins at @${row.checkpoint.split('@').at(-1)}`}
    >
      <path class="lane0" d="M14 16H440" />
      <path
        class="lane1"
        d={`M${base} 16Q${base + 14} 16 ${base + 18} 26Q${base + 22} 46 ${base + 36} 46H${base + 70}`}
      />
      <path class="lane1" stroke-dasharray="4 4" d={`M${base + 70} 46H440`} />
      {shown.map((each, index) => (
        <circle key={each.id} class="d-dot lane0" cx={x(index)} cy="16" r="4" />
      ))}
      <circle class="d-ring lane0" cx="446" cy="16" r="5" />
      <circle class="d-ring lane1" cx={base + 70} cy="46" r="5" />
      <text x={base} y="36" text-anchor="middle">
        @{row.checkpoint.split('@').at(-1)}
      </text>
      <text x="458" y="20">
        @{head?.seq}
      </text>
      <text x={base + 82} y="38">
        {id === '' ? 'the fork' : cutId(id)}, suspended
      </text>
    </svg>
  );
}
