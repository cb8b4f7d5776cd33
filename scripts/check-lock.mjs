// @ts-check
// The lock file names no registry host, so that it works with any, and is complete, so that `npm ci` works anywhere.
import { readFileSync } from 'node:fs';
import { missingPackages, readLock } from './lock-file.mjs';

const lock = readLock();
const faults = Object.entries(lock.packages).flatMap(([path, { resolved }]) =>
  resolved?.includes('://') === true ? [`package-lock.json: ${path} names a registry host: ${resolved}`] : [],
);
for (const { path, version } of missingPackages(lock)) {
  faults.push(`package-lock.json: ${path} ${version} is missing. Run: npm run lock`);
}
if (/^\s*(?:@[^:]+:)?registry\s*=/m.test(readFileSync('.npmrc', 'utf8'))) faults.push('.npmrc names a registry host');
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
