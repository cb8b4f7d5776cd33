import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ButtonLink } from '../../part/button.tsx';
import { Segmented } from '../../part/segmented.tsx';
import { hrefTo } from '../../shell/router.ts';
import type { TakenOver } from '../fold/story.ts';
import { isOver } from '../model/run-model.ts';
import { type RunContext, useRunContext } from '../page/run-context.ts';
import { RunHeader } from '../page/run-header.tsx';
import { Calls } from './calls.tsx';
import { compareWorkers, type OpenAtDeath } from './compare-workers.ts';
import { Hero, useLease } from './hero.tsx';
import { JournalStrip } from './journal-strip.tsx';
import { isLate } from './lease-state.ts';
import { WhoDidWhat } from './who-did-what.tsx';
import './takeover.css';

/** A worker that died, as the page knows it: from the journal, or because its lease is not renewed. */
export interface Death {
  readonly from: string | undefined;
  readonly takeover: TakenOver | undefined;
  readonly superstep: number;
}

const lookMs = 500;

/** How a death was noticed, what was kept, replayed and executed again. Live: it can be watched. */
export function TakeoverView(): JSX.Element {
  const context = useRunContext();
  const { run, model, story } = context;
  const takeovers = story?.takeovers ?? [];
  const lease = useLease(context);
  const isDead = lease !== undefined && (lease.isDead || isLate(lease));
  const [chosen, setChosen] = useState<number>();
  useEffect(() => {
    if (isOver(run)) return undefined;
    // A death leaves no event: it is seen by looking.
    const timer = setInterval(() => void model.beat(), lookMs);
    return () => clearInterval(timer);
  }, [model, run.status]);
  const takeover = takeovers[chosen ?? takeovers.length - 1];
  const comparison = useMemo(
    () => compareWorkers(model.journal.records, takeover ?? {}, openAtDeath(context, { takeover, isDead })),
    [story, takeover, isDead],
  );
  return (
    <div class="runpage">
      <RunHeader
        actions={
          <>
            {takeovers.length > 1 && (
              <Segmented
                label="Takeover"
                choices={takeovers.map((_, index) => [String(index), String(index + 1)] as const)}
                chosen={String(chosen ?? takeovers.length - 1)}
                onChoose={(index) => setChosen(Number(index))}
              />
            )}
            <ButtonLink href={hrefTo(['runs', run.id])}>Open the run</ButtonLink>
          </>
        }
      />
      <div class="tk">
        <Hero takeover={takeover} comparison={comparison} lease={lease} isDead={isDead} />
        <WhoDidWhat takeover={takeover} />
        <Calls takeover={takeover} comparison={comparison} />
        <JournalStrip takeover={takeover} />
      </div>
    </div>
  );
}

/** Which nodes were open when the worker died: those of the super-step in which the other one took over. */
export function openAtDeath(
  { story }: Pick<RunContext, 'story'>,
  { takeover, isDead }: { readonly takeover: TakenOver | undefined; readonly isDead: boolean },
): OpenAtDeath {
  const step =
    takeover === undefined
      ? story?.supersteps.findLast(({ seq }) => seq === undefined)
      : story?.supersteps.find(({ index }) => index === takeover.superstep);
  return { nodes: step?.nodes ?? [], startSeq: step?.startSeq ?? story?.lastSeq ?? 0, isDead };
}
