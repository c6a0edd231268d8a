import all from './jest.config.mjs';
import { LONG_TESTS } from './jest.long.config.mjs';

/** `npm test`: every test file but the long ones. */
export default {
  ...all,
  testPathIgnorePatterns: [
    ...all.testPathIgnorePatterns,
    ...LONG_TESTS.map((file) => `^<rootDir>/${file.replaceAll('.', '\\.')}$`),
  ],
};
