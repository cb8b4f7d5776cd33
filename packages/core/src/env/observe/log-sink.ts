import { printableLine } from '../../value/printable.ts';
import type { EngineEvent, Log, LogLevel } from './observer.ts';

/** The levels, from the least to the most important. */
export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** What logs an event. What it returns may be a promise. */
export type Sink = (event: EngineEvent) => unknown;

/** The sink that a `log` option stands for. */
export function sinkOf(log: Log, write: (line: string) => void = toStderr): Sink {
  if (typeof log === 'function') return log;
  if (typeof log === 'object') return (event) => log[event.level]?.(event.message, event);
  const least = log === 'silent' ? logLevels.length : logLevels.indexOf(log);
  return (event) => {
    if (logLevels.indexOf(event.level) >= least) write(lineOf(event));
  };
}

function lineOf({ at, level, message }: EngineEvent): string {
  return `${at.toISOString()} holdfast ${level}: ${printableLine(message)}\n`;
}

function toStderr(line: string): void {
  process.stderr.write(line);
}
