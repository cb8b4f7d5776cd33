import type { Row } from '../mutant.ts';

const intro = `# Requirements

Holdfast was asked to cover five documents, each a piece of a different system. This page lists what they ask for, row by row: what Holdfast has for it, the tests that show it, and the mutants that those tests must catch. A mutant is a break of the product, such as "a dry run drops". The tests run on every store: memory, file and SQLite.

\`npm run requirements\` runs the tests and the mutants and prints this table with the results. The page is generated from \`test/requirements/rows\`: change the rows there, then run \`npm run requirements -- --write\`.
`;

/** The page of the documentation that lists every row. */
export function pageOf(rows: readonly Row[], documents: Readonly<Record<string, string>>): string {
  const sections = Object.entries(documents).map(([document, title]) => {
    const own = rows.filter((row) => row.document === document);
    return [`## ${document}: ${title}\n`, ...own.map(rowText)].join('\n');
  });
  return [intro, ...sections].join('\n');
}

function rowText({ name, asked, here, better, note, tests, mutants }: Row): string {
  const facts = [
    ['Asked', asked],
    ['Here', here],
    ['Better', better],
    ['Note', note],
  ];
  const lines = facts.flatMap(([title, text]) => (text === undefined ? [] : [`- ${title}: ${text}`]));
  const broken = mutants.map(({ breaks, store }) => (store === 'memory' ? breaks : `${breaks} (on ${store})`));
  return [`### ${sentence(name)}\n`, ...lines, ...listOf('Tests', tests), ...listOf('Mutants', broken), ''].join('\n');
}

function listOf(title: string, items: readonly string[]): readonly string[] {
  return [`- ${title}:`, ...items.map((item) => `  - ${item}`)];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
