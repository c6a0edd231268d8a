import { base } from './jest.config.mjs';

/** The product on three hosts that are cut off and killed; see scripts/test-cluster.mjs. */
export default {
  ...base,
  maxWorkers: 1,
  testMatch: ['<rootDir>/test/cluster/**/*.cluster-spec.ts'],
  testTimeout: 300_000,
};
