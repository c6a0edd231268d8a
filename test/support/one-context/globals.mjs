/** `@jest/globals` for the test file that runs: each importer gets an instance of this module of its own. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globalThis;
