import { base } from './jest.config.mjs';

/** Tests against real third-party programs; see scripts/install-test-services.sh. */
export default {
  ...base,
  maxWorkers: 1,
  testMatch: ['<rootDir>/test/services/**/*.service-spec.ts'],
  testTimeout: 300_000,
};
