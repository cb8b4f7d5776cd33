import type { JSX } from 'preact';
import type { LanedRow } from './lanes.ts';

const height = 34;
const middle = height / 2;
const laneWidth = 16;
const colours = 4;
/** So many forks beside each other are drawn; the rest share the last place. */
const mostLanes = 8;

/** The class that has a lane's colour. */
export function laneClass(lane: number): string {
  return `lane${lane % colours}`;
}

function x(lane: number): number {
  return 18 + Math.min(lane, mostLanes - 1) * laneWidth;
}

/** The lanes left of a row. The dot is its checkpoint, a ring a head, a square a failure. */
export function LanesPicture({ row, lane, through, joins, lanes }: LanedRow & { readonly lanes: number }): JSX.Element {
  const width = 14 + Math.min(lanes, mostLanes) * laneWidth;
  return (
    <svg
      class="lanes"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      stroke-width="2"
      aria-hidden="true"
    >
      {through.map(({ lane: each, top, bottom }) => (
        <path key={each} class={laneClass(each)} d={`M${x(each)} ${top ? 0 : middle}V${bottom ? height : middle}`} />
      ))}
      {joins.map((each) => (
        <path
          key={`join ${each}`}
          class={laneClass(each)}
          d={`M${x(each)} 0V${middle - 8}Q${x(each)} ${middle} ${x(each) - 8} ${middle}H${x(lane)}`}
        />
      ))}
      <Dot dot={row.dot} at={x(lane)} lane={lane} />
    </svg>
  );
}

function Dot({
  dot,
  at,
  lane,
}: {
  readonly dot: LanedRow['row']['dot'];
  readonly at: number;
  readonly lane: number;
}): JSX.Element {
  switch (dot) {
    case 'failed':
      return <rect class="d-failed" x={at - 4.5} y={middle - 4.5} width="9" height="9" rx="1.5" />;
    case 'running':
      return (
        <>
          <circle class="d-ring d-running" cx={at} cy={middle} r="5" />
          <circle class="d-in" cx={at} cy={middle} r="2" />
        </>
      );
    case 'waiting':
    case 'suspended':
      return <circle class={`d-ring d-${dot}`} cx={at} cy={middle} r="5" />;
    case 'end':
      return <circle class={`d-ring ${laneClass(lane)}`} cx={at} cy={middle} r="5" />;
    case 'checkpoint':
      return <circle class={`d-dot ${laneClass(lane)}`} cx={at} cy={middle} r="4" />;
  }
}
