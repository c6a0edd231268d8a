import { createRequire } from 'node:module';

// Of the whole package only this check: commands need it at once, and the package loads its 120 rules and the table of
// phone numbers with it.
const { isEmail } = createRequire(import.meta.url)('class-validator/cjs/decorator/string/IsEmail.js') as {
  isEmail: (value: unknown) => boolean;
};

/** Without the quoted forms, which mail servers and people take for several addresses. */
export const UNQUOTED_EMAIL = /^[^\s<>,;"\\]*$/;

/** As `EmailParam` takes it, apart from the length. */
export function isPlainEmail(text: string): boolean {
  return isEmail(text) && UNQUOTED_EMAIL.test(text);
}
