import { CheckedStore } from '../../../src/store/checked-store.ts';
import { mutantNamed } from './mutants.ts';
import { carryOut, type Operation, type Place } from './operation.ts';

/** What the process is told. */
export interface MoveOrders extends Place {
  readonly operation: Operation;
  readonly mutant?: string | undefined;
}

const { operation, mutant, ...place } = JSON.parse(process.argv[2] ?? '{}') as MoveOrders;

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Says when a call that changes the store begins: that is how far the operation has come. */
function sayCalls(): void {
  const commit = Reflect.get(CheckedStore.prototype, 'commit');
  CheckedStore.prototype.commit = function said(...given) {
    say({ call: 'commit' });
    return commit.apply(this, given);
  };
  const trim = Reflect.get(CheckedStore.prototype, 'trim');
  CheckedStore.prototype.trim = function said(...given) {
    say({ call: 'trim' });
    return trim.apply(this, given);
  };
}

// First, so that the calls of broken code are said, too.
sayCalls();
if (mutant !== undefined) mutantNamed(mutant).breakIt();
await carryOut(operation, place, () => say({ ready: true }));
say({ end: true });
