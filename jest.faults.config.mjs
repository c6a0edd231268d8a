import { base } from './jest.config.mjs';

/** The product under faults: kills, a database that goes away, full disks; see scripts/test-faults.mjs. */
export default {
  ...base,
  maxWorkers: 1,
  testMatch: ['<rootDir>/test/faults/**/*.fault-spec.ts'],
  testTimeout: 300_000,
};
