// How times are written. Lists are dense, so that an age has one unit; prose and durations spell theirs out.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How an age in a list is written: `now`, `9s`, `4m`, `3h`, `2d`, and from a week on the day: `16 Nov`. */
export function age(at: string, now: number): string {
  const ms = now - Date.parse(at);
  if (ms < second) return 'now';
  if (ms < minute) return `${Math.floor(ms / second)}s`;
  if (ms < hour) return `${Math.floor(ms / minute)}m`;
  if (ms < day) return `${Math.floor(ms / hour)}h`;
  if (ms < 7 * day) return `${Math.floor(ms / day)}d`;
  return dayOf(at, now);
}

/** An age in prose: `3 h ago`. */
export function ago(at: string, now: number): string {
  const ms = now - Date.parse(at);
  if (ms < second) return 'just now';
  return ms < 7 * day ? `${coarse(ms)} ago` : `on ${dayOf(at, now)}`;
}

/** How long until a time, or since: `in 21 h`, `2 m ago`. */
export function until(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  return ms > 0 ? `in ${coarse(ms)}` : ago(at, now);
}

/** The largest unit alone. */
function coarse(ms: number): string {
  if (ms < minute) return `${Math.max(1, Math.floor(ms / second))} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} m`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}

/**
 * A duration with at most two units: `850 ms`, `8.4 s`, `2 m 41 s`, `2 d 4 h`. One that still grows loses its decimal at ten
 * seconds, because a digit that changes ten times a second cannot be read.
 */
export function duration(ms: number, { isRunning = false }: { readonly isRunning?: boolean } = {}): string {
  if (ms < second) return isRunning ? `${(ms / second).toFixed(1)} s` : `${Math.round(ms)} ms`;
  if (ms < minute) {
    const isWhole = isRunning && ms >= 10 * second;
    // 59.96 s must not become 60.0 s.
    const seconds = isWhole ? Math.floor(ms / second).toString() : (Math.floor(ms / 100) / 10).toFixed(1);
    return `${seconds} s`;
  }
  if (ms < hour) return twoUnits(ms, [minute, 'm'], [second, 's']);
  if (ms < day) return twoUnits(ms, [hour, 'h'], [minute, 'm']);
  return twoUnits(ms, [day, 'd'], [hour, 'h']);
}

type Unit = readonly [ms: number, name: string];

function twoUnits(ms: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((ms % large) / small);
  const first = `${Math.floor(ms / large)} ${largeName}`;
  return rest === 0 ? first : `${first} ${String(rest).padStart(smallName === 'h' ? 1 : 2, '0')} ${smallName}`;
}

/** The time of the day, 24 hours, in the viewer's zone: `13:20:44`. */
export function clock(at: string | number): string {
  return timeFormat.format(new Date(at));
}

/** The whole time, for titles: `18 Nov 2026, 13:20:44`. */
export function exact(at: string | number): string {
  const date = new Date(at);
  return `${dayMonth(date)} ${date.getFullYear()}, ${timeFormat.format(date)}`;
}

/** A day and a time: `18 Nov 13:20:44`. */
export function dayAndClock(at: string | number): string {
  const date = new Date(at);
  return `${dayMonth(date)} ${timeFormat.format(date)}`;
}

/** The day of a page's heading: `Wed 18 Nov, 13:20`. */
export function headingTime(now: number): string {
  const date = new Date(now);
  return `${weekdayFormat.format(date)} ${dayMonth(date)}, ${timeFormat.format(date).slice(0, 5)}`;
}

function dayOf(at: string, now: number): string {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return isThisYear ? dayMonth(date) : `${dayMonth(date)} ${date.getFullYear()}`;
}

function dayMonth(date: Date): string {
  return `${date.getDate()} ${monthFormat.format(date)}`;
}

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const weekdayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'short' });
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'short' });
