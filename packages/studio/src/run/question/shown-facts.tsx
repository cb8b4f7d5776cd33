import type { Json } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { jsonLines } from '../diff/diff-rows.ts';
import { isFields } from '../fold/payload.ts';

const titleNames = ['text', 'title', 'question', 'message', 'prompt', 'summary'];

/** What a question asks: the text that it shows, or its name. */
export function titleOf(show: Json | undefined, name: string): string {
  if (typeof show === 'string' && show !== '') return show;
  if (!isFields(show)) return name;
  const found = titleNames.map((key) => show[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : name;
}

/** The rest of what a question shows: short values as facts, large ones as they are. */
export function ShownFacts({ show }: { readonly show: Json | undefined }): JSX.Element | null {
  if (show === undefined || show === null || typeof show === 'string') return null;
  if (!isFields(show)) return <pre class="mono shown">{jsonLines(show).join('\n')}</pre>;
  const title = titleOf(show, '');
  const rest = Object.entries(show).filter(([, value]) => value !== title);
  if (rest.length === 0) return null;
  return (
    <>
      <dl class="facts3">
        {rest
          .filter(([, value]) => isShort(value))
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? value : jsonLines(value)[0]}</dd>
            </div>
          ))}
      </dl>
      {rest
        .filter(([, value]) => !isShort(value))
        .map(([name, value]) => (
          <details key={name}>
            <summary>{name}</summary>
            <pre class="mono shown" tabIndex={0}>
              {jsonLines(value).join('\n')}
            </pre>
          </details>
        ))}
    </>
  );
}

function isShort(value: Json): boolean {
  return jsonLines(value).length === 1;
}
