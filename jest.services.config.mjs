import { base } from './jest.config.mjs';

/** Tests against real third-party programs; see scripts/install-test-services.sh. */
export default {
  ...base,
  // The tarball has the console and the documents.
  globalSetup: '<rootDir>/test/support/console-global-setup.mjs',
  maxWorkers: 1,
  testMatch: ['<rootDir>/test/services/**/*.service-spec.ts'],
  testTimeout: 300_000,
};
