import { Bench } from './bench.ts';
import { deathTests } from './contract/lease/claim-deaths.ts';
import type { CreatePlace } from './store-place.ts';
import type { TestRunner } from './test-runner.ts';

/** The part of the contract about noticed deaths, for a place in which processes may die. */
export function deathSuite({ test, create }: Pick<TestRunner, 'test'> & { readonly create: CreatePlace }): void {
  deathTests((name, body) => test(name, () => Bench.use({ create }, body)));
}
