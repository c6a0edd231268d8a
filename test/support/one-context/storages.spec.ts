import asyncHooks, { AsyncResource } from 'node:async_hooks';
import { Storages } from './storages.mjs';

/**
 * Number of enabled storages. Node 20 and 22 give each asynchronous resource a property for each enabled storage; later
 * versions give none.
 */
function enabled(): number {
  return Object.getOwnPropertySymbols(new AsyncResource('test')).filter(
    ({ description }) => description === 'kResourceStore',
  ).length;
}

describe('the AsyncLocalStorages of test files', () => {
  it('are disabled after the file', () => {
    const before = enabled();
    const storages = new Storages();
    const [one, other] = storages.madeBy(() => [
      new asyncHooks.AsyncLocalStorage<string>(),
      new asyncHooks.AsyncLocalStorage<string>(),
    ]);
    expect(one.run('a', () => other.run('b', () => [one.getStore(), other.getStore()]))).toEqual(['a', 'b']);

    storages.disable();

    expect(enabled()).toBe(before);
    expect(new asyncHooks.AsyncLocalStorage()).not.toBeInstanceOf(one.constructor);
  });

  it('do not accumulate over the files of a worker', () => {
    // Enabled are that of this file, and those of the product and its packages.
    expect(enabled()).toBeLessThan(10);
  });
});
