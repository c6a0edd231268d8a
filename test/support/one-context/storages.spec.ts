import asyncHooks, { AsyncResource } from 'node:async_hooks';
import { Storages } from './storages.mjs';

/** Node 20 and 22 give each asynchronous resource a property for each storage that is enabled; later ones give none. */
function enabled(): number {
  return Object.getOwnPropertySymbols(new AsyncResource('test')).filter(
    ({ description }) => description === 'kResourceStore',
  ).length;
}

describe('the storages of a test file', () => {
  it('are disabled after it', () => {
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

  it('are not added up by the files of a worker', () => {
    // That of this file, and those of the product and its packages.
    expect(enabled()).toBeLessThan(10);
  });
});
