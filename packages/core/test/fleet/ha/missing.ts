import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { isProgram, programEnv } from '../../faults/runner/program.ts';

/** Something that the cluster is made of, and the Debian package that brings it. */
interface Part {
  readonly what: string;
  readonly from: string;
  readonly isThere: () => boolean;
}

const postgresRoot = '/usr/lib/postgresql';

/** The folder of the newest Postgres of the system: Patroni needs more programs than the package from npm has. */
export function postgresBin(): string | undefined {
  try {
    const versions = readdirSync(postgresRoot).toSorted((a, b) => Number(b) - Number(a));
    const bins = versions.map((version) => `${postgresRoot}/${version}/bin`);
    return bins.find((bin) => readdirSync(bin).includes('pg_rewind'));
  } catch {
    return undefined;
  }
}

const parts: readonly Part[] = [
  { what: 'patroni', from: 'patroni', isThere: () => isProgram('patroni') },
  { what: 'the Python module etcd', from: 'python3-etcd', isThere: () => hasModule('etcd') },
  { what: 'the Python module psycopg2', from: 'python3-psycopg2', isThere: () => hasModule('psycopg2') },
  { what: 'etcd', from: 'etcd-server', isThere: () => isProgram('etcd') },
  { what: 'haproxy', from: 'haproxy', isThere: () => isProgram('haproxy') },
  { what: `initdb and pg_rewind in ${postgresRoot}`, from: 'postgresql', isThere: () => postgresBin() !== undefined },
];

/** What this machine lacks, as lines; empty where the cluster can run. */
export function missingParts(): readonly string[] {
  if (process.platform !== 'linux') return ['Linux: the loopback addresses and the packages are those of Debian'];
  const missing = parts.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return [];
  const names = missing.map(({ what, from }) => `${what} (Debian package ${from})`);
  return [
    ...names,
    `Install them: apt-get install --no-install-recommends ${missing.map(({ from }) => from).join(' ')}`,
  ];
}

/** Patroni runs on the system's Python. */
function hasModule(name: string): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', `import ${name}`], { stdio: 'ignore', env: programEnv });
    return true;
  } catch {
    return false;
  }
}
