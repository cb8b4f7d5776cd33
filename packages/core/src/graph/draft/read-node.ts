import { findCompiled, graphRule } from '../compile/compiled.ts';
import type { CompiledGraph, CompiledNode, NodeWork } from '../compile/compiled-graph.ts';
import { type Complain, complainOfName, complainOfUnknown, quoted } from '../compile/problem.ts';
import { effectRule, effects, isLimit, limitRule, policyKeys, readPolicy } from '../policy.ts';
import type { DraftNode } from './draft.ts';
import { isOptions } from './is-options.ts';

/** The arguments of a builder call that adds a node. */
interface GivenNode {
  readonly name: unknown;
  readonly work: NodeWork;
  readonly policy: unknown;
  /** The options of its kind, besides the policy. */
  readonly keys: readonly string[];
}

/** How many items of an `each` run at a time, unless told otherwise: thousands at once exhaust sockets and rate limits. */
const defaultConcurrency = 16;

const reserved: readonly unknown[] = ['start', 'end'];

/** Parses the arguments of `node`; undefined if it has no name. */
export function readNode(
  { name, fn, policy }: { readonly name: unknown; readonly fn: unknown; readonly policy: unknown },
  complain: Complain,
): DraftNode | undefined {
  if (typeof fn !== 'function') complain('It has no function. Pass one that takes a context and returns an update.');
  const run = fn as (context: object) => unknown;
  return finish({ name, work: { type: 'node', run }, policy, keys: ['to', 'catch', 'effect'] }, complain);
}

/** Parses the arguments of `each`. */
export function readEach(
  given: { readonly name: unknown; readonly over: unknown; readonly fn: unknown; readonly policy: unknown },
  complain: Complain,
): DraftNode | undefined {
  const { name, over, fn, policy } = given;
  if (typeof over !== 'function')
    complain('It has no function for the items. Pass one that takes the state and returns an array.');
  if (typeof fn !== 'function') complain('It has no function for one item. Pass one that returns an update.');
  const concurrency = isOptions(policy) ? policy['concurrency'] : undefined;
  if (concurrency !== undefined && !isLimit(concurrency)) complain(`"concurrency" ${limitRule}.`);
  const work: NodeWork = {
    type: 'each',
    over: over as (state: object) => unknown,
    run: fn as (item: unknown, context: object) => unknown,
    concurrency: isLimit(concurrency) ? concurrency : defaultConcurrency,
  };
  const node = finish({ name, work, policy, keys: ['concurrency', 'catch', 'effect'] }, complain);
  const onError = node?.catch as ((error: unknown, item: unknown, state: object) => unknown) | undefined;
  // Users get the item first. The runner passes it last, because only `each` has one.
  return node === undefined || onError === undefined
    ? node
    : { ...node, catch: (error, state, item) => onError(error, item, state) };
}

/** Parses the arguments of `graph`. */
export function readInner(
  { name, inner, map }: { readonly name: unknown; readonly inner: unknown; readonly map: unknown },
  complain: Complain,
): DraftNode | undefined {
  const found = findCompiled(inner);
  if (found === undefined) complain(`Its inner graph is not a graph. ${graphRule(inner)}`);
  const { in: input, out } = isOptions(map) ? map : {};
  if (typeof input !== 'function') complain('"in" must be a function from the state to the input of the inner graph.');
  if (typeof out !== 'function')
    complain('"out" must be a function from the output of the inner graph to an update of the state.');
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
  const { catch: onError, effect } = options;
  if (keys.includes('effect') && !effects.includes(effect)) complain(effectRule);
  if (onError !== undefined && typeof onError !== 'function')
    complain('"catch" must be a function that takes the error and returns an update.');
  const shown = typeof name === 'string' ? `node ${quoted(name)}` : 'a node';
  const read = {
    work,
    policy: readPolicy(policy, { where: shown, complain }),
    isOnce: keys.includes('effect') && effect === 'once',
    catch: onError as CompiledNode['catch'],
    to: readTo(keys.includes('to') ? options['to'] : undefined, complain),
  };
  if (reserved.includes(name)) {
    complain(`${quoted(name as string)} is a reserved name. Choose another one.`);
    return undefined;
  }
  complainOfName('node', name, complain);
  // Keep an invalid name, so that edges that use it are not reported as well.
  return typeof name === 'string' ? { name, ...read } : undefined;
}

function readTo(to: unknown, complain: Complain): ReadonlySet<string> {
  const names: readonly unknown[] = Array.isArray(to) ? to : [];
  const texts = names.filter((name) => typeof name === 'string');
  if (to !== undefined && (names !== to || texts.length < names.length))
    complain('"to" must be an array with the names of the nodes that goto may lead to.');
  return new Set(texts);
}
