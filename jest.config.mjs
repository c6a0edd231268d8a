/** Shared by all kinds of tests. */
export const base = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^#libs/detection/scoring$': '<rootDir>/libs/detection/src/scoring.ts',
    '^#libs/detection/testing$': '<rootDir>/libs/detection/src/testing/index.ts',
    '^#libs/charts/model$': '<rootDir>/libs/charts/src/model.ts',
    '^#libs/charts/browser$': '<rootDir>/libs/charts/src/browser.ts',
    '^#libs/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    // Files that are called .json.js, as in libphonenumber-js, are modules.
    '^(\\.{1,2}/.*)(?<!\\.json)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '<rootDir>/test/support/transform.mjs',
      {
        sourceMaps: 'inline',
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.plumbline'],
  setupFilesAfterEnv: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // At its end a worker waits for nothing, but on a busy machine it takes longer than jest's half a second to give back
  // some hundred megabytes of heap. Only what takes much longer is a leak.
  workerGracefulExitTimeout: 10_000,
};

/** Every test that needs nothing but the packages: `npm test` and `npm run test:long` have a part of them each. */
export default {
  ...base,
  maxWorkers: 2,
  // The files of a worker share its context and modules, but for those that test/support/one-context/own-context.mjs names.
  testEnvironment: '<rootDir>/test/support/one-context/environment.mjs',
  testRunner: '<rootDir>/test/support/one-context/runner.mjs',
  // Node 20 keeps every vm context that has loaded an ES module, and a worker all that its files leave behind. Near the
  // heap limit it does little else than collect garbage, and its end takes longer than jest waits. A new worker loads
  // the modules again.
  workerIdleMemoryLimit: '2GB',
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.{spec,db-spec,e2e-spec}.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/services/', '<rootDir>/test/browser/'],
  testTimeout: 30_000,
};
