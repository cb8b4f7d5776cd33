import type { JSX } from 'preact';
import { grouped } from '../format/grouped.ts';
import { Dialog } from '../part/dialog.tsx';
import { areKeysOn, layers, switchKeys } from './keys.ts';

/** All keys that work here, and the switch that turns them off. */
export function Help({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" fact="what works on this page" width="small" onClose={onClose}>
      <div class="keyhelp">
        {[...grouped(layers.value.toReversed(), ({ title }) => title)].map(([title, group]) => (
          <section key={title}>
            <h2>{title}</h2>
            <dl>
              {group
                .flatMap(({ actions }) => actions)
                .map(({ keys, label }) => (
                  <div key={keys}>
                    <dt>
                      {keys.split(' ').map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{label}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <label class="row">
          <input
            type="checkbox"
            class="switch"
            checked={areKeysOn.value}
            onChange={(event) => switchKeys(event.currentTarget.checked)}
          />
          Keys of a single letter work
        </label>
      </div>
    </Dialog>
  );
}
