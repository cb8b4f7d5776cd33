import { type FoldState, readCell } from '../../delta/cell.ts';
import { Vector } from '../../delta/vector.ts';
import type { ChannelSet } from '../channel-set.ts';
import { defaultOf } from './apply-updates.ts';

/** The getters for the lists of a channel set, created once per set. */
type Getters = ReadonlyMap<string, PropertyDescriptor>;

const gettersOf = new WeakMap<ChannelSet, Getters>();

class ReturnGiven {
  constructor(given: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is how a private field gets onto a plain object
    return given;
  }
}

/** The state behind a view, in a private field of a plain object. */
class Behind extends ReturnGiven {
  readonly #state: FoldState;

  constructor(view: object, state: FoldState) {
    super(view);
    this.#state = state;
  }

  static state(view: Behind): FoldState {
    return view.#state;
  }
}

/** What console.log shows: the values, and not that some of them are created when they are read. */
const inspected = {
  value(this: object): object {
    return { ...this };
  },
};

/** Node looks for this property; naming it needs no import of node:util. */
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

/**
 * The state as a node sees it: a frozen object with one property per channel, undefined if the channel has no value.
 *
 * The array of a growing list is created when it is read. All views of a channel set share the getters, because one
 * closure per super-step would cost more than the super-step.
 */
export function stateView(channels: ChannelSet, state: FoldState): Readonly<Record<string, unknown>> {
  const view: Record<string, unknown> = {};
  const getters = gettersFor(channels);
  let isLazy = false;
  for (const [name, { initial }] of channels) {
    const cell = initial === undefined || state.has(name) ? state.get(name) : defaultOf(name, initial);
    if (cell instanceof Vector) {
      Object.defineProperty(view, name, getters.get(name) as PropertyDescriptor);
      isLazy = true;
    } else view[name] = cell;
  }
  if (isLazy) Object.defineProperty(view, inspectCustom, inspected);
  new Behind(view, state);
  return Object.freeze(view);
}

function gettersFor(channels: ChannelSet): Getters {
  let getters = gettersOf.get(channels);
  if (getters === undefined) {
    getters = new Map(Array.from(channels.keys(), (name) => [name, getter(name)]));
    gettersOf.set(channels, getters);
  }
  return getters;
}

function getter(name: string): PropertyDescriptor {
  return {
    enumerable: true,
    get(this: Behind) {
      return readCell(Behind.state(this).get(name));
    },
  };
}
