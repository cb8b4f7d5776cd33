import type { JSX } from 'preact';
import { connection, lastAnswer, now } from '../api/live.ts';
import { mount, storeName } from '../api/mount.ts';
import { overview } from '../api/pulse.ts';
import { cutId } from '../format/id.ts';
import { capped } from '../format/number.ts';
import { shortStoreName } from '../format/store-name.ts';
import { duration } from '../format/time.ts';
import { Button } from '../part/button.tsx';
import { Icon, Logo } from '../part/icon.tsx';
import { FindRun } from './find-run.tsx';
import { type NavItem, navItems } from './nav.ts';
import { place } from './router.ts';
import { switchTheme } from './theme.ts';

/** The bar at the top: pages, find, live state, theme. */
export function TopBar({ onHelp }: { readonly onHelp: () => void }): JSX.Element {
  return (
    <header class="bar">
      <a class="brand" href={mount}>
        <Logo />
        <span>Holdfast</span>
      </a>
      <nav class="nav" aria-label="Pages">
        {navItems.map((item) => (
          <NavLink key={item.path} item={item} />
        ))}
      </nav>
      <span class="grow hide-n" />
      <FindRun />
      <LiveState />
      {storeName !== '' && (
        <span class="storechip mono hide-n" title={storeName}>
          <Icon name="store" />
          <span class="sr">Store </span>
          {cutId(shortStoreName(storeName))}
        </span>
      )}
      <Button kind="ghost" isSmall class="hide-n" icon="info" label="Keys and help" onClick={onHelp} />
      <Button kind="ghost" isSmall icon="moon" label="Switch theme" onClick={switchTheme} />
    </header>
  );
}

/** The bar at the bottom of a narrow window. */
export function TabBar(): JSX.Element {
  return (
    <nav class="tabbar" aria-label="Pages">
      {navItems.map((item) => (
        <NavLink key={item.path} item={item} hasIcon />
      ))}
    </nav>
  );
}

function NavLink({ item, hasIcon = false }: { readonly item: NavItem; readonly hasIcon?: boolean }): JSX.Element {
  const { path, title, icon, pages } = item;
  const asks = path === '' ? overview.value?.asks : undefined;
  return (
    <a href={mount + path} aria-current={pages.includes(place.value.page) ? 'page' : undefined}>
      {hasIcon && <Icon name={icon} />}
      {title}
      {asks !== undefined && asks.count > 0 && (
        <span class="n" title={`${capped(asks)} questions wait for an answer`}>
          {capped(asks)}
          <span class="sr"> open questions</span>
        </span>
      )}
    </a>
  );
}

const words = { live: 'Live', reconnecting: 'Reconnecting', stale: 'Stale' } as const;

/** Whether what is shown is what is so. */
function LiveState(): JSX.Element {
  const state = connection.value;
  return (
    <span class={`live ${state === 'live' ? '' : 're'}`} role="status">
      <i />
      {words[state]}
      {state === 'stale' && `, ${duration(now.value - lastAnswer.value, { isRunning: true })}`}
    </span>
  );
}
