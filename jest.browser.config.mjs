import { base } from './jest.config.mjs';

/** The console in Debian's Chromium, against the built product with the demo data. */
export default {
  ...base,
  globalSetup: '<rootDir>/test/support/console-global-setup.mjs',
  maxWorkers: 2,
  testMatch: ['<rootDir>/{apps/console,test/browser}/**/*.browser-spec.ts'],
  testTimeout: 120_000,
};
