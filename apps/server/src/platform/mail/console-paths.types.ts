/**
 * Pages of the console that mails and redirects link to, for `Links.console(path, parameters)`. Each of them gets its
 * secret as a parameter, and the API call behind it accepts the same secret without a browser.
 */
export const CONSOLE_PATHS = {
  /** `email`, `token`: sets the first password after a sign-up or an invitation. */
  verify: '/verify',
  /** `token`: sets a new password. */
  resetPassword: '/reset-password',
  /** `code`, `token`: finishes a login that needs a code. */
  validateLogin: '/login/validate',
  /** `token`: confirms a changed e-mail address. */
  confirmEmail: '/confirm-email',
  /** `error`, `message`: the login page, also after a login at another provider that was refused. */
  login: '/login',
} as const;
