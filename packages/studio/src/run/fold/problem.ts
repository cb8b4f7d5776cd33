import type { Json } from '@holdfast/server/client';
import { isFields } from './payload.ts';
import type { StoredProblem } from './story.ts';

const maxCauses = 8;

/** An error of a record, an event or a run. */
export function problemFrom(error: Json | undefined): StoredProblem {
  if (!isFields(error))
    return { name: 'Error', message: 'The server does not show it.', code: undefined, stack: undefined, causes: [] };
  return {
    name: textOf(error['name']) ?? 'Error',
    message: textOf(error['message']) ?? '',
    code: textOf(error['code']),
    stack: stackOf(error),
    causes: causesOf(error),
  };
}

/** Where it happened: the stack of the deepest cause that has one. Those above it are of what passed it on. */
function stackOf(error: Readonly<Record<string, Json>>): string | undefined {
  let stack: string | undefined;
  let each: Json | undefined = error;
  for (let depth = 0; isFields(each) && depth <= maxCauses; depth += 1) {
    stack = textOf(each['stack']) ?? stack;
    each = each['cause'];
  }
  return stack;
}

/** What went wrong, in a line: a failed step is told by what its function threw. */
export function reasonOf({ message, causes }: StoredProblem): string {
  return causes[0] ?? message;
}

/** The causes, the nearest first, each as one line. */
function causesOf(error: Readonly<Record<string, Json>>): readonly string[] {
  const causes: string[] = [];
  let cause = error['cause'];
  while (isFields(cause) && causes.length < maxCauses) {
    const { name, message, code } = cause;
    causes.push(
      [textOf(name) ?? 'Error', textOf(message) ?? '', textOf(code) ?? ''].filter((part) => part !== '').join(': '),
    );
    cause = cause['cause'];
  }
  return causes;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
