import { useEffect, useState } from 'preact/hooks';
import type { Api } from '../api.ts';
import type { ClientOptions } from '../client/http.ts';
import { type Hooks, hooksOf } from './hooks.ts';

export type { Hooks, UseAsksOptions, UsedAsks, UsedRun } from './hooks.ts';

/**
 * Hooks for Preact, typed by the server.
 *
 * @example
 * ```ts
 * import type { server } from './server.ts';
 * const { useRun } = hooks<typeof server>({ url: '/holdfast' });
 * ```
 */
export function hooks<A extends Api>(options: ClientOptions = {}): Hooks<A> {
  return hooksOf<A>({ useEffect, useState }, options);
}
