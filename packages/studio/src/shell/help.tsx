import type { JSX } from 'preact';
import { Dialog } from '../part/dialog.tsx';
import { areKeysOn, layers, switchKeys } from './keys.ts';

/** All keys that work here, and the switch that turns them off. */
export function Help({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" fact="what works on this page" width="small" onClose={onClose}>
      <div class="keyhelp">
        {layers.value.toReversed().map(({ title, actions }) => (
          <section key={title}>
            <h2>{title}</h2>
            <dl>
              {actions.map(({ keys, label }) => (
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
