import { findCompiled, graphRule } from '../compile/compiled.ts';
import type { CompiledGraph, CompiledNode, NodeWork } from '../compile/compiled-graph.ts';
import { type Complain, complainOfName, complainOfUnknown, quoted } from '../compile/problem.ts';
import { isCount, policyKeys, readPolicy } from '../policy.ts';
import type { DraftNode } from './draft.ts';
import { isOptions } from './is-options.ts';

/** What a call of the builder gave for a node. */
interface GivenNode {
  readonly name: unknown;
  readonly work: NodeWork;
  readonly policy: unknown;
  /** The options of its kind, besides those of a policy. */
  readonly keys: readonly string[];
}

const reserved: readonly unknown[] = ['start', 'end'];

/** Reads what `node` was given; undefined when it has no name to be known by. */
export function readNode(
  { name, fn, policy }: { readonly name: unknown; readonly fn: unknown; readonly policy: unknown },
  complain: Complain,
): DraftNode | undefined {
  if (typeof fn !== 'function') complain('It has no function. Pass one that takes a context and gives an update.');
  const run = fn as (context: object) => unknown;
  return finish({ name, work: { type: 'node', run }, policy, keys: ['to', 'catch'] }, complain);
}

/** Reads what `each` was given. */
export function readEach(
  given: { readonly name: unknown; readonly over: unknown; readonly fn: unknown; readonly policy: unknown },
  complain: Complain,
): DraftNode | undefined {
  const { name, over, fn, policy } = given;
  if (typeof over !== 'function') complain('It has no function that takes the state and gives the items.');
  if (typeof fn !== 'function') complain('It has no function for an item. Pass one that gives an update.');
  const concurrency = isOptions(policy) ? policy['concurrency'] : undefined;
  if (concurrency !== undefined && concurrency !== Number.POSITIVE_INFINITY && !isCount(concurrency))
    complain('"concurrency" has to be a whole number from 1 on.');
  const work: NodeWork = {
    type: 'each',
    over: over as (state: object) => unknown,
    run: fn as (item: unknown, context: object) => unknown,
    concurrency: isCount(concurrency) ? concurrency : Number.POSITIVE_INFINITY,
  };
  const node = finish({ name, work, policy, keys: ['concurrency', 'catch'] }, complain);
  const onError = node?.catch as ((error: unknown, item: unknown, state: object) => unknown) | undefined;
  // Users get the item before the state; the runner gives it last, because only here there is one.
  return node === undefined || onError === undefined
    ? node
    : { ...node, catch: (error, state, item) => onError(error, item, state) };
}

/** Reads what `graph` was given. */
export function readInner(
  { name, inner, map }: { readonly name: unknown; readonly inner: unknown; readonly map: unknown },
  complain: Complain,
): DraftNode | undefined {
  const found = findCompiled(inner);
  if (found === undefined) complain(`Its inner graph is none. ${graphRule(inner)}`);
  const { in: input, out } = isOptions(map) ? map : {};
  if (typeof input !== 'function')
    complain('"in" has to be a function from the state to the input of the inner graph.');
  if (typeof out !== 'function')
    complain('"out" has to be a function from the output of the inner graph to an update of the state.');
  const work: NodeWork = {
    type: 'graph',
    inner: found as CompiledGraph,
    in: input as (state: object) => unknown,
    out: out as (output: unknown) => unknown,
  };
  return finish({ name, work, policy: map, keys: ['in', 'out', 'to', 'catch'] }, complain);
}

function finish({ name, work, policy, keys }: GivenNode, complain: Complain): DraftNode | undefined {
  const options = isOptions(policy) ? policy : {};
  complainOfUnknown(options, { of: 'Its policy', known: [...keys, ...policyKeys], complain });
  const { catch: onError } = options;
  if (onError !== undefined && typeof onError !== 'function')
    complain('"catch" has to be a function of the error that gives an update.');
  const shown = typeof name === 'string' ? `node ${quoted(name)}` : 'a node';
  const read = {
    work,
    policy: readPolicy(policy, { where: shown, complain }),
    catch: onError as CompiledNode['catch'],
    to: readTo(keys.includes('to') ? options['to'] : undefined, complain),
  };
  if (reserved.includes(name)) {
    complain(
      `${quoted(name as string)} is where every graph ${name === 'start' ? 'starts' : 'ends'}. Choose another name.`,
    );
    return undefined;
  }
  complainOfName('node', name, complain);
  // A bad name is kept: edges that use it have no problem of their own.
  return typeof name === 'string' ? { name, ...read } : undefined;
}

function readTo(to: unknown, complain: Complain): ReadonlySet<string> {
  const names: readonly unknown[] = Array.isArray(to) ? to : [];
  const texts = names.filter((name) => typeof name === 'string');
  if (to !== undefined && (names !== to || texts.length < names.length))
    complain('"to" has to be an array with the names of nodes that goto may lead to.');
  return new Set(texts);
}
