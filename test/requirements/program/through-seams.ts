import { parseAst } from 'vite';
import type { Seam } from '../mutant.ts';

type Named = Pick<Seam<unknown>, 'module' | 'name'>;

/**
 * A module whose exported functions of these names are called through `replacementOf` of the file `from`, by other
 * modules and by its own. `code` is JavaScript.
 */
export function throughSeams(code: string, seams: readonly Named[], from: string): string {
  const edits = seams.map((seam) => declarationOf(code, seam)).toSorted((a, b) => b.start - a.start);
  const original = edits.reduce(
    (text, { start, id }) =>
      `${text.slice(0, start)}${text.slice(start, id).replace(/^export /, '')}original_${text.slice(id)}`,
    code,
  );
  const exports = seams.map(({ module, name }) => {
    const found = `replacement_${name}`;
    return `var ${found};
export function ${name}() {
  ${found} ??= replacementOf(${JSON.stringify(module)}, ${JSON.stringify(name)}, original_${name});
  return ${found}.apply(this, arguments);
}`;
  });
  return [`import { replacementOf } from ${JSON.stringify(from)};`, original, ...exports].join('\n');
}

interface Declaration {
  /** Where the export begins. */
  readonly start: number;
  /** Where its name begins. */
  readonly id: number;
}

/** Where a function is declared and exported. */
function declarationOf(code: string, { module, name }: Named): Declaration {
  for (const { type, start, ...statement } of parseAst(code).body) {
    if (type !== 'ExportNamedDeclaration' || !('declaration' in statement)) continue;
    const { declaration } = statement;
    if (declaration?.type !== 'FunctionDeclaration' || declaration.id?.name !== name) continue;
    return { start, id: declaration.id.start };
  }
  throw new Error(
    `${module} has no "export function ${name}". If it was moved or renamed, say so in test/requirements/seams.ts.`,
  );
}
