// @ts-check
// The layer rule. The picture is in ARCHITECTURE.md; this table is where it is checked.

const leaves = ['errors', 'record', 'value', 'time', 'async', 'env'];
/** No I/O below here. */
const pure = ['errors', 'record', 'value', 'time', 'delta', 'channel', 'history'];
/** The store without its drivers. */
const store = ['store', 'store/contract', 'store/check', 'store/commit'];
const drivers = ['store/memory', 'store/file', 'store/sqlite', 'store/postgres'];
const runner = ['runner', 'runner/plan', 'runner/fold', 'runner/task'];
const inner = [...leaves, 'delta', 'channel', 'history', 'graph', ...store, 'journal', ...runner];
/** What reads a run without executing it. */
const reading = inner.filter((name) => name !== 'runner/task');
const engine = ['engine', 'engine/lease', 'engine/command', 'engine/query', 'engine/retention', 'engine/transfer'];

/**
 * Each folder (or file) of packages/core/src and what it may import from, besides itself.
 * A longer name stands outside a shorter one: `store/memory` is no part of `store`.
 *
 * @type {Record<string, string[]>}
 */
const layers = {
  errors: [],
  record: ['errors', 'value'],
  value: ['errors'],
  time: ['errors'],
  async: ['errors'],
  env: ['errors', 'time', 'value'],
  delta: leaves,
  channel: [...leaves, 'delta'],
  history: [...leaves, 'delta', 'channel'],
  graph: [...leaves, 'delta', 'channel'],
  store: [...leaves, ...store],
  'store/contract': ['errors'],
  'store/check': ['errors', 'record', 'value', 'store/contract'],
  'store/commit': [...leaves, 'store', 'store/contract', 'store/check'],
  'store/table': ['errors', 'value', 'store', 'store/contract'],
  ...Object.fromEntries(drivers.map((driver) => [driver, [...leaves, 'store', 'store/contract']])),
  ...Object.fromEntries(
    ['store/sqlite', 'store/postgres'].map((driver) => [driver, [...leaves, 'store', 'store/contract', 'store/table']]),
  ),
  'store/sqlite/transaction.ts': ['errors', 'graph', 'store/sqlite'],
  'store/sqlite/index.ts': ['store/sqlite', 'store/sqlite/transaction.ts'],
  'store/postgres/transaction.ts': ['errors', 'graph'],
  'store/postgres/index.ts': ['store/postgres', 'store/postgres/transaction.ts'],
  'store/index.ts': [...leaves, ...store, ...drivers],
  journal: [...leaves, 'delta', 'channel', 'history', ...store],
  runner: inner,
  'runner/fold': [...pure, 'store/contract'],
  'runner/plan': [...pure, 'graph', 'store/contract', 'runner/fold'],
  'runner/task': [...leaves, 'delta', 'channel', 'history', 'graph', 'runner', 'runner/fold', 'runner/plan'],
  engine: [...inner, ...drivers, 'store/index.ts', ...engine],
  'engine/query': [...reading, 'engine', 'engine/lease', 'engine/command'],
  'engine/retention': [...reading, 'engine', 'engine/query'],
  'engine/transfer': [...reading, 'engine', 'engine/query', 'engine/command'],
  'engine/command': [...inner, 'engine', 'engine/query', 'engine/lease'],
  'engine/lease': [...inner, 'engine', 'engine/query', 'engine/command', 'engine/retention'],
  agent: [...leaves, 'journal', 'engine'],
  'index.ts': [...inner, ...drivers, 'store/index.ts', ...engine, 'agent'],
  testing: [...inner, ...drivers, 'store/index.ts', ...engine, 'agent', 'index.ts'],
};

/** Who executes runs: a query imports none of it, not even a type. What is left out only reads names and headers. */
const executing = [
  '^packages/core/src/engine/lease/(?!(?:suspended|incarnation)[.]ts$)',
  '^packages/core/src/runner/(?:run-executor|superstep)[.]ts$',
];

/** Which modules of Node a layer may use; the others none. */
const builtins = {
  value: ['crypto', 'zlib', 'buffer', 'util/types'],
  env: ['.*'],
  'store/file': ['.*'],
  'store/sqlite': ['.*'],
  'store/postgres': ['.*'],
  testing: ['.*'],
};

/** Which packages the command line may load, and where: what only some commands need is loaded by those alone. */
const cliPackages = {
  commander: '^packages/cli/src/program/',
  esbuild: '^packages/cli/src/project/compile-files[.]ts$',
  '@clack/prompts': '^packages/cli/src/input/schema-form[.]ts$',
  zod: '^packages/cli/src/demo/',
};

/** Which packages the server may load, and where. A page loads the client and the hooks: they need none of these. */
const serverPackages = {
  hono: '^packages/server/src/app[.]ts$',
  zod: '^packages/server/src/(?:schema|route|openapi)/',
  react: '^packages/server/src/hooks/react[.]ts$',
  preact: '^packages/server/src/hooks/preact[.]ts$',
};

/** Which packages the pages may load, and where. They know the server by its client alone. */
const studioPackages = {
  preact: '^packages/studio/src/',
  '@preact/signals': '^packages/studio/src/',
  '@dagrejs/dagre': '^packages/studio/src/run/graph/',
  '@codemirror': '^packages/studio/src/run/editor/',
};

/** Packages that a layer may name in types; none is ever loaded. */
const typePackages = ['@standard-schema/spec'];
const testingTypePackages = [...typePackages, 'fast-check'];

const names = Object.keys(layers);
const tests = '[.]test[.]ts$';
/** @type {import('dependency-cruiser').DependencyType[]} */
const npm = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'];

/** The files of a layer, without those of layers nested in it. @param {string} name */
function within(name) {
  const nested = names.filter((other) => other.startsWith(`${name}/`)).map((other) => other.slice(name.length + 1));
  const rest = nested.length === 0 ? '' : `(?!(?:${nested.map(pattern).join('|')}))`;
  return name.endsWith('.ts') ? `^packages/core/src/${pattern(name)}` : `^packages/core/src/${name}/${rest}`;
}

/** @param {string} name */
function pattern(name) {
  return name.endsWith('.ts') ? `${name.replaceAll('.', '[.]')}$` : `${name}/`;
}

/** @param {string[]} packages */
function packagePaths(packages) {
  return packages.map((name) => `(^|/)node_modules/${name}/`);
}

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const layerRules = Object.entries(layers).map(([name, allowed]) => ({
  name: `layer-${name}`,
  comment: `${name} may import from ${['itself', ...allowed].join(', ')}`,
  severity: 'error',
  from: { path: within(name), pathNot: tests },
  to: { path: '^packages/core/src/', pathNot: [name, ...allowed].map(within) },
}));

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const builtinRules = names.map((name) => ({
  name: `node-modules-of-${name}`,
  comment: 'only the Env seam, the codec, the durable stores and testing touch Node',
  severity: 'error',
  from: { path: within(name), pathNot: tests },
  to: {
    dependencyTypes: ['core'],
    pathNot: (builtins[/** @type {keyof typeof builtins} */ (name)] ?? []).map((each) => `^(node:)?${each}$`),
  },
}));

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const cliRules = [
  {
    name: 'no-other-package-in-cli',
    comment: 'the command line loads the packages of the table in .dependency-cruiser.mjs and no other',
    severity: 'error',
    from: { path: '^packages/cli/src/', pathNot: tests },
    to: { dependencyTypes: npm, pathNot: ['^packages/', ...packagePaths(Object.keys(cliPackages))] },
  },
  ...Object.entries(cliPackages).map(([name, place]) => ({
    name: `cli-loads-${name}`,
    severity: /** @type {const} */ ('error'),
    from: { path: '^packages/cli/src/', pathNot: [tests, place] },
    to: { path: packagePaths([name]) },
  })),
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const serverRules = [
  {
    name: 'no-other-package-in-server',
    comment: 'the server loads the packages of the table in .dependency-cruiser.mjs and no other',
    severity: 'error',
    from: { path: '^packages/server/src/', pathNot: tests },
    to: {
      dependencyTypes: npm,
      pathNot: ['^packages/', ...packagePaths([...Object.keys(serverPackages), '@types/react'])],
    },
  },
  ...Object.entries(serverPackages).map(([name, place]) => ({
    name: `server-loads-${name}`,
    severity: /** @type {const} */ ('error'),
    from: { path: '^packages/server/src/', pathNot: [tests, place] },
    to: { path: packagePaths([name]) },
  })),
  {
    name: 'client-is-for-browsers',
    comment: 'the client and the hooks share types with the server, and nothing that runs',
    severity: 'error',
    from: { path: '^packages/server/src/(?:client|hooks)/', pathNot: tests },
    to: { path: '^(?:node:|packages/)', pathNot: '^packages/server/src/(?:client|hooks)/', preCompilationOnly: false },
  },
];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const studioRules = [
  {
    name: 'no-other-package-in-studio',
    comment: 'the pages load the packages of the table in .dependency-cruiser.mjs and no other',
    severity: 'error',
    from: { path: '^packages/studio/src/', pathNot: tests },
    to: { dependencyTypes: npm, pathNot: ['^packages/', ...packagePaths(Object.keys(studioPackages))] },
  },
  ...Object.entries(studioPackages).map(([name, place]) => ({
    name: `studio-loads-${name}`,
    severity: /** @type {const} */ ('error'),
    from: { path: '^packages/studio/src/', pathNot: [tests, place] },
    to: { path: packagePaths([name]) },
  })),
  {
    name: 'studio-reaches-the-server-by-its-client',
    comment: 'a page holds nothing of the server, and nothing of core; types are fine',
    severity: 'error',
    from: { path: '^packages/studio/src/', pathNot: tests },
    to: {
      path: '^packages/',
      pathNot: ['^packages/studio/src/', '^packages/server/src/client/index[.]ts$'],
      preCompilationOnly: false,
    },
  },
  {
    name: 'pages-are-for-browsers',
    comment: 'only what serves the pages touches Node',
    severity: 'error',
    from: { path: '^packages/studio/src/', pathNot: [tests, '^packages/studio/src/(?:serve/|index[.]ts$)'] },
    to: { path: '^packages/studio/src/serve/|^(?:node:)?(?:fs|path|url|util|zlib|crypto|http)(?:/|$)' },
  },
  {
    name: 'formats-of-the-studio-are-leaves',
    comment: 'how things are written depends on nothing',
    severity: 'error',
    from: { path: '^packages/studio/src/format/', pathNot: tests },
    to: { path: '^packages/studio/src/(?!format/)' },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: 'queries-never-execute',
      comment: 'reads never start work',
      severity: 'error',
      from: { path: '^packages/core/src/engine/query/', pathNot: tests },
      to: { path: executing },
    },
    ...builtinRules,
    ...cliRules,
    ...serverRules,
    ...studioRules,
    {
      name: 'not-a-layer',
      comment: 'every file of core belongs to a layer of the table in .dependency-cruiser.mjs',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: names.map(within) },
      to: {},
    },
    {
      name: 'no-cycle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-runtime-dependency',
      comment: 'core loads no package; a type may come from one of the named ones',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: tests },
      to: { dependencyTypes: npm, preCompilationOnly: false },
    },
    {
      name: 'no-other-type-package',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: [tests, '^packages/core/src/testing/'] },
      to: { dependencyTypes: npm, pathNot: packagePaths(typePackages) },
    },
    {
      name: 'no-other-type-package-in-testing',
      severity: 'error',
      from: { path: '^packages/core/src/testing/', pathNot: tests },
      to: { dependencyTypes: npm, pathNot: packagePaths(testingTypePackages) },
    },
    {
      name: 'no-import-of-a-test',
      severity: 'error',
      from: {},
      to: { path: tests },
    },
    {
      name: 'public-exports-only',
      comment: 'whatever is not core reaches it as users do, by its name; benchmarks measure inner layers too',
      severity: 'error',
      from: { path: '^(packages/(?!core/)|examples/)' },
      to: { path: '^packages/core/', dependencyTypes: ['local'] },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What we built, not what packages ship: they keep their code in a folder of that name too.
    exclude: {
      path: '^packages/[^/]+/dist/|^packages/[^/]+/test/[^/]+/dist/|^(examples|benchmarks)/dist/|^benchmarks/peers/',
    },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@holdfast/source', 'import', 'node', 'default', 'types'],
    },
  },
};
