/** One figure that a benchmark measured; a goal is one of PERFORMANCE.md's, and only ratios have one. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** What a benchmark measured, and under which settings. */
export interface Report {
  readonly settings: Readonly<Record<string, string | number>>;
  readonly figures: readonly Figure[];
}

/** Whether a figure is within its goal. */
export function meetsGoal({ value, atMost, atLeast }: Figure): boolean {
  return (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
}

/** A report as lines for a person. */
export function toLines({ settings, figures }: Report): readonly string[] {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const lines = figures.map((figure) => {
    const value = valueText(figure).padStart(10);
    const goal = goalText(figure);
    return `  ${figure.name.padEnd(width)} ${value} ${figure.unit.padEnd(10)} ${goal && `goal: ${goal}`}`.trimEnd();
  });
  return [
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}`)
      .join('  '),
    ...lines,
  ];
}

/** A figure's value, to as many digits as mean something. */
export function valueText({ value }: Figure): string {
  return value >= 1_000 ? Math.round(value).toString() : value.toPrecision(4);
}

/** A figure's goal and whether it was met; empty where it has none. */
export function goalText(figure: Figure): string {
  const { atMost, atLeast } = figure;
  if (atMost === undefined && atLeast === undefined) return '';
  const goal = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
  return `${goal} ${meetsGoal(figure) ? 'met' : 'MISSED'}`;
}
