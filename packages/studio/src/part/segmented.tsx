import type { ComponentChildren, JSX } from 'preact';

/** One of several choices, all in sight. */
export function Segmented<T extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly (readonly [value: T, shown: ComponentChildren])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}): JSX.Element {
  return (
    <div class="seg" role="group" aria-label={label}>
      {choices.map(([value, shown]) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {shown}
        </button>
      ))}
    </div>
  );
}
