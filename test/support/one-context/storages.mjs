import asyncHooks from 'node:async_hooks';

/**
 * The AsyncLocalStorages that jest-circus creates for a test file. It does not disable them, and Node copies the store
 * of each enabled one to every promise of the process: after a hundred files a promise takes fifty times as long.
 */
export class Storages {
  #made = [];

  /**
   * Returns the result of `load`. Records storages created meanwhile by code that uses the class of `node:async_hooks`.
   */
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

  /** Disables all of them; none may be used afterwards. */
  disable() {
    for (const storage of this.#made.splice(0)) storage.disable();
  }
}
