import asyncHooks from 'node:async_hooks';

/**
 * The AsyncLocalStorages that jest-circus makes for a test file. It disables none of them, and Node copies the store of
 * each enabled one to every promise of the process: after a hundred files a promise takes fifty times as long.
 */
export class Storages {
  #made = [];

  /** Answers what `load` does. Notes what is made meanwhile by code that looks the class up in `node:async_hooks`. */
  madeBy(load) {
    const { AsyncLocalStorage } = asyncHooks;
    const created = this.#made;
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor(...args) {
        super(...args);
        created.push(this);
      }
    };
    try {
      return load();
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  /** None of them is used any more. */
  disable() {
    for (const storage of this.#made.splice(0)) storage.disable();
  }
}
