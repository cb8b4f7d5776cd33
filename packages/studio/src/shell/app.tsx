import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ComparePage } from '../compare/compare-page.tsx';
import { GraphPage } from '../graphs/graph-page.tsx';
import { GraphsPage } from '../graphs/graphs-page.tsx';
import { OverviewPage } from '../overview/overview-page.tsx';
import { Empty } from '../part/state.tsx';
import { RunPage } from '../run/run-page.tsx';
import { RunsPage } from '../runs/runs-page.tsx';
import { StorePage } from '../store/store-page.tsx';
import { announcement } from './announce.ts';
import { ConnectionNote } from './connection-note.tsx';
import { Help } from './help.tsx';
import { useKeys } from './keys.ts';
import { navItems } from './nav.ts';
import { go, hrefTo, place } from './router.ts';
import { TabBar, TopBar } from './top-bar.tsx';

/** The studio: a bar, a page, and what is over it. */
export function App(): JSX.Element {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys('Everywhere', [
    { keys: '?', label: 'this help', run: () => setHelpOpen(true) },
    ...navItems.map(({ path, title, key }) => ({
      keys: `g ${key}`,
      label: `go to ${title}`,
      run: () => go(hrefTo(path === '' ? [] : [path])),
    })),
    { keys: 'g q', label: 'go to open questions', run: () => go(hrefTo(['runs'], { q: 'status:waiting' })) },
  ]);
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <TopBar onHelp={() => setHelpOpen(true)} />
      <main id="main" tabIndex={-1}>
        <ConnectionNote />
        <CurrentPage />
      </main>
      <TabBar />
      <div class="toast" role="status" aria-live="polite">
        {announcement.value !== '' && <p>{announcement.value}</p>}
      </div>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

function CurrentPage(): JSX.Element {
  const { page, name, view } = place.value;
  switch (page) {
    case 'overview':
      return <OverviewPage />;
    case 'runs':
      return <RunsPage />;
    case 'run':
      return <RunPage key={`${name}/${view}`} runId={name} view={view} />;
    case 'compare':
      return <ComparePage />;
    case 'graphs':
      return <GraphsPage />;
    case 'graph':
      return <GraphPage key={name} name={name} />;
    case 'store':
      return <StorePage />;
    case 'missing':
      return (
        <>
          <h1 class="sr">Not found</h1>
          <Empty title="There is no such page">The address may have been cut when it was copied.</Empty>
        </>
      );
  }
}
