import type { ChangeJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { Fragment } from 'preact';
import { type DiffPart, jsonLines, wordDiff } from '../run/diff/diff-rows.ts';
import { type ChangedChannel, pathInside } from './side-by-side.ts';

/** The changes, one heading per channel; on both sides, or in lines below each other. */
export function DiffTable({
  channels,
  isUnified,
  anchorOf,
}: {
  readonly channels: readonly ChangedChannel[];
  readonly isUnified: boolean;
  readonly anchorOf: (channel: string) => string;
}): JSX.Element {
  return (
    <section class={`card dd${isUnified ? ' uni' : ''}`} aria-label="Changes">
      <div class="df">
        {channels.map(({ name, changes }) => (
          <Fragment key={name}>
            <h2 class="h" id={anchorOf(name)} tabIndex={-1}>
              <span class="g_" />
              <span>/{name}</span>
            </h2>
            {changes.map((change) => (
              <Change key={change.path} change={change} />
            ))}
          </Fragment>
        ))}
      </div>
    </section>
  );
}

type Line = readonly DiffPart[];
type Sides = readonly [readonly Line[], readonly Line[]];

/** A change of one line has its path in it: `cents: 5000`. */
function named(path: string, [left, right]: Sides): Sides {
  if (path === '' || left.length > 1 || right.length > 1) return [left, right];
  const name = { text: `${path}: `, isChanged: false };
  return [left.map((line) => [name, ...line]), right.map((line) => [name, ...line])];
}

function Change({ change }: { readonly change: ChangeJson }): JSX.Element {
  const inside = pathInside(change.path);
  const [left, right] = named(inside, sidesOf(change));
  const isNamed = inside === '' || Math.max(left.length, right.length) === 1;
  return (
    <>
      {!isNamed && (
        <p class="sub">
          <span class="g_" />
          <span>{inside}</span>
        </p>
      )}
      {Array.from({ length: Math.max(left.length, right.length) }, (_, at) => (
        <div class="pr" key={at}>
          <Side line={left[at]} kind="m" />
          <Side line={right[at]} kind="p" />
        </div>
      ))}
    </>
  );
}

function Side({ line, kind }: { readonly line: Line | undefined; readonly kind: 'm' | 'p' }): JSX.Element {
  if (line === undefined) return <div class="e_" />;
  const Tag = kind === 'm' ? 'del' : 'ins';
  return (
    <div class={kind}>
      <span class="g_">
        <span aria-hidden="true">{kind === 'm' ? '−' : '+'}</span>
        <span class="sr">{kind === 'm' ? 'A' : 'B'}</span>
      </span>
      <span>{line.map(({ text, isChanged }, at) => (isChanged ? <Tag key={at}>{text}</Tag> : text))}</span>
    </div>
  );
}

/** The lines of both sides. What changed inside a line is marked. */
function sidesOf({ op, before, after }: ChangeJson): Sides {
  const left = op === 'add' ? [] : jsonLines(before);
  const right = op === 'remove' ? [] : jsonLines(after);
  const [one] = left;
  const [other] = right;
  if (left.length === 1 && right.length === 1 && one !== undefined && other !== undefined) {
    const [removed, added] = wordDiff(one, other);
    return [[removed], [added]];
  }
  return [plain(left), plain(right)];
}

function plain(lines: readonly string[]): readonly Line[] {
  return lines.map((text) => [{ text, isChanged: false }]);
}
