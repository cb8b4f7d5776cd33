// @ts-check
// What the scripts need to know of package-lock.json.
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ resolved?: string, version?: string, license?: string, dev?: boolean, optional?: boolean,
 *   os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock
 */

/** @returns {Lock} */
export function readLock() {
  return JSON.parse(readFileSync('package-lock.json', 'utf8'));
}

/**
 * Packages for other platforms that the lock leaves out: npm does so when a registry lacks them, and then refuses
 * its own file in `npm ci`.
 *
 * @param {Lock} lock
 */
export function missingPackages(lock) {
  return Object.entries(lock.packages).flatMap(([parent, { optionalDependencies = {}, license }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name]) => !(`${parent}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages),
      )
      .map(([name, version]) => ({ path: `node_modules/${name}`, version, license })),
  );
}
