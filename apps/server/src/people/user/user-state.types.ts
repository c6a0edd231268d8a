/** `invited` has no password yet; `disabled` cannot log in. */
export const USER_STATES = ['invited', 'active', 'disabled'] as const;
export type UserState = (typeof USER_STATES)[number];
