// @ts-check
// Adds to package-lock.json the packages for other platforms that npm left out because the registry in use lacks them.
// Their versions are pinned by the package that names them; their platform is in their name.
import { writeFileSync } from 'node:fs';
import { missingPackages, readLock } from './lock-file.mjs';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const lock = readLock();
const missing = missingPackages(lock);
for (const { path, version, license } of missing) {
  const words = path.split(/[/-]/);
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  const libc = words.flatMap((word) => (word === 'musl' ? ['musl'] : word === 'gnu' ? ['glibc'] : []));
  if (cpu.length !== 1 || !/^\d/.test(version)) throw new Error(`${path} ${version}: not a package of one platform`);
  lock.packages[path] = {
    version,
    cpu,
    dev: true,
    ...(libc.length > 0 && { libc }),
    ...(license !== undefined && { license }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
const sorted = Object.entries(lock.packages).toSorted(([left], [right]) => left.localeCompare(right, 'en'));
if (missing.length > 0) {
  writeFileSync('package-lock.json', `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
}
console.log(`${missing.length} packages added to package-lock.json`);
