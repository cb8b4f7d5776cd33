import { ClientError } from '@holdfast/server/client';
import type { IconName } from './icon-shapes.ts';

/** How an error is shown: what is so, and what to do next. */
export interface ShownProblem {
  readonly icon: IconName;
  readonly tone: 'su' | 'wa' | 'fa' | 'in';
  readonly title: string;
  readonly advice: string;
  readonly command?: string | undefined;
  /** The same request will be refused again. */
  readonly isFinal?: boolean | undefined;
}

const byCode: Readonly<Record<string, ShownProblem>> = {
  HOLDFAST_STORE_LOCKED: {
    icon: 'lock',
    tone: 'su',
    title: 'Another process writes to this store',
    advice:
      'A file store takes one writer; reading works beside it. Nothing here can be changed until the other process ends.',
    command: 'holdfast studio --read-only',
  },
  HOLDFAST_UNKNOWN_FORMAT: {
    icon: 'store',
    tone: 'su',
    title: 'A newer Holdfast wrote this store',
    advice: 'This version does not know its schema, and leaves it as it is. Install the newer version here.',
    command: 'npm i holdfast@latest',
  },
  HOLDFAST_VERSION: {
    icon: 'code',
    tone: 'wa',
    title: 'No worker here has this graph',
    advice: 'The run is untouched. A worker whose build has the graph in that version continues it at once.',
    command: 'holdfast check',
  },
  HTTP_UNAUTHORIZED: {
    icon: 'lock',
    tone: 'su',
    title: 'This browser has no token',
    advice: 'Open the address that the server printed: it carries the token, which then stays in a cookie.',
    command: 'holdfast studio',
  },
};

/** How an error is shown. */
export function problemOf(error: Error): ShownProblem {
  if (!(error instanceof ClientError))
    return {
      icon: 'plug',
      tone: 'wa',
      title: 'The server cannot be reached',
      advice: 'Nothing is lost: runs continue without this page. It is tried again by itself.',
    };
  const known = byCode[error.code];
  if (known !== undefined) return known;
  if (error.status === 404)
    return { icon: 'search', tone: 'in', title: 'There is nothing here', advice: error.message, isFinal: true };
  if (error.status === 503)
    return {
      icon: 'store',
      tone: 'su',
      title: 'The store does not answer',
      advice: error.message,
      command: 'holdfast doctor',
    };
  if (error.status >= 500) return { icon: 'warn', tone: 'fa', title: 'The server failed', advice: error.message };
  return { icon: 'warn', tone: 'fa', title: 'The server refused this', advice: error.message, isFinal: true };
}
