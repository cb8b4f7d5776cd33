import type { ServerEvent } from '@holdfast/server';

/** A line of the log: who gave which command, and what the id of an error stands for. */
export function eventLine(event: ServerEvent): string {
  switch (event.type) {
    case 'error':
      return `error ${event.id}: ${event.error instanceof Error ? event.error.stack : String(event.error)}`;
    case 'dropped':
      return `${event.by}: dropped from ${event.runId}, because it did not read`;
    case 'command':
      return commandLine(event);
  }
}

function commandLine({ command, by, runId, made, dryRun, status }: Extract<ServerEvent, { type: 'command' }>): string {
  const about = [runId, made !== runId && made !== undefined && `made ${made}`, dryRun === true && 'dry run'];
  return [`${by}: ${command}`, ...about.filter((part) => typeof part === 'string'), String(status)].join(' ');
}
