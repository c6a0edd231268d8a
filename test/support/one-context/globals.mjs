/** `@jest/globals` for the running test file: each importer gets its own instance of this module. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globalThis;
