import { createRequire } from 'node:module';

// Imports only this check of the package: commands need it at startup, and the whole package would load its 120 rules
// and the table of phone numbers.
const { isEmail } = createRequire(import.meta.url)('class-validator/cjs/decorator/string/IsEmail.js') as {
  isEmail: (value: unknown) => boolean;
};

/** Excludes the quoted forms, which mail servers and people read as several addresses. */
export const UNQUOTED_EMAIL = /^[^\s<>,;"\\]*$/;

/** As accepted by `EmailParam`, except for the length. */
export function isPlainEmail(text: string): boolean {
  return isEmail(text) && UNQUOTED_EMAIL.test(text);
}
