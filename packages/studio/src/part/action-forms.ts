import type { ForkBody, PruneBody, StartBody } from '@holdfast/server/client';
import { apiAddress } from '../api/client.ts';
import { assignments, type CopyForms, copyForms, isFields, literal } from './copy/copy-forms.ts';

/** A start of a run. */
export function startForms({ graph, input, ...options }: StartBody): CopyForms {
  const { id, tags } = options;
  const given = isFields(input) ? assignments(input) : ['--input', JSON.stringify(input)];
  return copyForms(apiAddress, {
    cli: ['submit', graph, ...given, ...option('--id', id), ...tagWords(tags)],
    path: '/runs',
    body: { ...options, graph, input },
    typescript: `await engine.submit(${graph}, ${literal(input)}${isEmpty(options) ? '' : `, ${literal(options)}`});`,
  });
}

/** An answer to a question. */
export function answerForms(runId: string, { name, value, id }: AnswerOf): CopyForms {
  const given = isFields(value) ? assignments(value) : ['--value', JSON.stringify(value)];
  return copyForms(apiAddress, {
    cli: ['answer', runId, name, ...given, ...option('--id', id)],
    path: `${runPath(runId)}/answer`,
    body: { name, value, id },
    typescript: `await engine.get(${literal(runId)}).answer(${literal(name)}, ${literal(value)});`,
  });
}

/** A message to a run. */
export function sendForms(runId: string, name: string, value: unknown): CopyForms {
  return copyForms(apiAddress, {
    cli: ['send', runId, name, JSON.stringify(value)],
    path: `${runPath(runId)}/send`,
    body: { name, value },
    typescript: `await engine.get(${literal(runId)}).send(${literal(name)}, ${literal(value)});`,
  });
}

/** How an effect of unknown outcome is settled: what it returned, or that it is executed again. */
export function settleForms(runId: string, key: string, outcome: 'retry' | { readonly result: unknown }): CopyForms {
  return copyForms(apiAddress, {
    cli: ['settle', runId, key, ...(outcome === 'retry' ? ['--retry'] : ['--result', JSON.stringify(outcome.result)])],
    path: `${runPath(runId)}/settle`,
    body: { key, outcome },
    typescript: `await engine.get(${literal(runId)}).settle(${literal(key)}, ${literal(outcome)});`,
  });
}

/** What is answered. */
export interface AnswerOf {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
}

/** A fork at a checkpoint. */
export function forkForms(runId: string, fork: ForkBody): CopyForms {
  const { at, set = {}, next = [], label, id, tags, resume } = fork;
  const base = at ?? runId;
  return copyForms(apiAddress, {
    cli: [
      'fork',
      base,
      ...assignments(set).flatMap((word) => ['--set', word]),
      ...next.flatMap((node) => ['--next', node]),
      ...option('--label', label),
      ...option('--id', id),
      ...tagWords(tags),
      ...(resume === true ? ['--resume'] : []),
    ],
    path: `${runPath(runId)}/fork`,
    body: fork,
    typescript: `await engine.get(${literal(runId)}).fork(${literal(fork)});`,
  });
}

/** Resuming runs. */
export function resumeForms(runIds: readonly string[]): CopyForms {
  return forEach(runIds, (runId) =>
    copyForms(apiAddress, {
      cli: ['resume', runId],
      path: `${runPath(runId)}/resume`,
      body: {},
      typescript: `await engine.get(${literal(runId)}).resume();`,
    }),
  );
}

/** Cancelling runs. */
export function cancelForms(runIds: readonly string[], reason?: string): CopyForms {
  const all = forEach(runIds, (runId) =>
    copyForms(apiAddress, {
      cli: ['cancel', runId],
      path: `${runPath(runId)}/cancel`,
      body: { reason },
      typescript: `await engine.get(${literal(runId)}).cancel(${reason === undefined ? '' : literal(reason)});`,
    }),
  );
  const { cli } = copyForms(apiAddress, {
    cli: ['cancel', ...runIds, ...option('--reason', reason)],
    path: '',
    typescript: '',
  });
  return { ...all, cli };
}

/** A list of runs. */
export function runsForms(query: string): CopyForms {
  return copyForms(apiAddress, {
    cli: ['runs', ...query.split(' ').filter((word) => word !== '')],
    path: `/runs?${new URLSearchParams(query === '' ? {} : { q: query })}`,
    typescript: `await client.runs(${literal(query)});`,
  });
}

/** The differences between two states. */
export function diffForms(from: string, to: string): CopyForms {
  return copyForms(apiAddress, {
    cli: ['diff', from, to],
    path: `/diff?${new URLSearchParams({ from, to })}`,
    typescript: `await client.diff(${literal(from)}, ${literal(to)});`,
  });
}

/** A prune. */
export function pruneForms({ apply, ...policy }: PruneBody): CopyForms {
  const { olderThan, keep, status = [] } = policy;
  return copyForms(apiAddress, {
    cli: [
      'prune',
      ...option('--older-than', olderThan?.toString()),
      ...option('--keep', keep?.toString()),
      ...status.flatMap((each) => ['--status', each]),
      ...(apply === true ? ['--apply'] : []),
    ],
    path: '/prune',
    body: { ...policy, apply },
    typescript: `await engine.prune(${literal({ ...policy, dryRun: apply !== true })});`,
  });
}

function forEach(runIds: readonly string[], form: (runId: string) => CopyForms): CopyForms {
  const all = runIds.map(form);
  const joined = (name: keyof CopyForms): string => all.map((each) => each[name]).join('\n');
  return { cli: joined('cli'), curl: joined('curl'), typescript: joined('typescript') };
}

function runPath(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [name, value];
}

function tagWords(tags: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(tags).flatMap(([name, value]) => ['--tag', `${name}=${value}`]);
}

function isEmpty(options: object): boolean {
  return Object.values(options).every((value) => value === undefined);
}
