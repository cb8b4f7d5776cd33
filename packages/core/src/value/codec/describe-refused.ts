import { isAnyArrayBuffer, isArrayBufferView, isNativeError, isPromise, isProxy } from 'node:util/types';
import { printable } from '../printable.ts';

/** What is wrong with a value, and what to store instead. */
export interface Flaw {
  readonly what: string;
  readonly instead: string;
}

/** Describes a value that cannot be stored, and what to store instead. */
export function describeRefused(value: unknown): Flaw {
  if (typeof value === 'function') return { what: 'is a function', instead: 'Store the data that it needs' };
  if (typeof value === 'symbol') return { what: 'is a symbol', instead: 'Store a string' };
  if (isProxy(value)) return { what: 'is a Proxy', instead: 'Store a plain copy of its target' };
  if (isPromise(value)) return { what: 'is a Promise', instead: 'Await it and store what it resolves to' };
  if (isNativeError(value))
    return { what: 'is an Error', instead: 'Store its message, or its fields as a plain object' };
  if (isArrayBufferView(value) || isAnyArrayBuffer(value)) {
    return { what: `is ${instance(value)}`, instead: 'Store a Uint8Array, or an array of its numbers' };
  }
  return { what: `is ${instance(value)}`, instead: 'Store a plain object with the fields that matter' };
}

function instance(value: unknown): string {
  const name = className(value);
  return name === '' ? 'an object with a custom prototype' : `an instance of ${printable(name)}`;
}

/** Reads descriptors, because a getter or a trap would run user code. */
function className(value: unknown): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || isProxy(prototype)) return '';
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof made !== 'function' || isProxy(made)) return '';
  const name: unknown = Object.getOwnPropertyDescriptor(made, 'name')?.value;
  return typeof name === 'string' ? name : '';
}
