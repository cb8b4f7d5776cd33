import type { JSX } from 'preact';
import { now } from '../api/live.ts';
import { overview } from '../api/pulse.ts';
import { headingTime } from '../format/time.ts';
import { ButtonLink } from '../part/button.tsx';
import { Empty } from '../part/state.tsx';
import { hrefTo } from '../shell/router.ts';
import { FailedCard } from './failed-card.tsx';
import './overview.css';
import { RunningCard } from './running-card.tsx';
import { StatusCard, StoreCard, WorkersCard } from './side-cards.tsx';
import { WaitingCard } from './waiting-card.tsx';

/** What needs a person, what failed, what runs, and how large the store is. */
export function OverviewPage(): JSX.Element {
  const counts = overview.value;
  const isEmpty = counts !== undefined && Object.values(counts.runs).every(({ count }) => count === 0);
  return (
    <div class="page ov">
      <div class="head">
        <h1>Overview</h1>
        <p class="hide-n">{headingTime(now.value)}</p>
        <span class="grow" />
        <ButtonLink kind="primary" icon="plus" href={hrefTo(['graphs'])}>
          Start a run
        </ButtonLink>
      </div>
      {isEmpty ? <NoRuns /> : <Cards />}
    </div>
  );
}

function Cards(): JSX.Element {
  return (
    <div class="cols">
      <div class="col">
        <WaitingCard />
        <FailedCard />
        <RunningCard />
      </div>
      <div class="col side">
        <StatusCard />
        <StoreCard />
        <WorkersCard />
      </div>
    </div>
  );
}

/** A store without runs. */
function NoRuns(): JSX.Element {
  return (
    <section class="card">
      <Empty
        title="No runs yet"
        command="holdfast demo"
        action={
          <ButtonLink kind="primary" icon="plus" href={hrefTo(['graphs'])}>
            Start a run
          </ButtonLink>
        }
      >
        Start one here, or from a terminal in your project.
      </Empty>
    </section>
  );
}
