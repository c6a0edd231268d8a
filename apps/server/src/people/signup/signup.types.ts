/** Who can create an organisation: everyone, the first user while there is none, or no one. */
export const SIGNUP_MODES = ['open', 'first', 'closed'] as const;
export type SignupModeName = (typeof SIGNUP_MODES)[number];
