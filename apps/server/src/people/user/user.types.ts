import { ONBOARDING_EXTRA_FLAGS, type OnboardingExtraFlag, type OnboardingFlag } from '#libs/contracts';

/** `invited` has no password yet; `disabled` cannot log in. */
export const USER_STATES = ['invited', 'active', 'disabled'] as const;
export type UserState = (typeof USER_STATES)[number];

/** Flags that users set themselves; the service sets the other four from its observations. */
export const OWN_FLAGS = [
  'main_intro',
  'alerts_intro',
  'alerts_from_search',
  'training_intro',
  ...ONBOARDING_EXTRA_FLAGS,
] as const;
export type OwnFlag = (typeof OWN_FLAGS)[number];

/** The user for work of the service itself. */
export const SYSTEM_USER_ID = 1;

/**
 * Address of the first administrator while the operator has named none. Nothing can be mailed there, so its owner is
 * asked for no code.
 */
export const PLACEHOLDER_EMAIL = 'admin@plumbline.local';

export interface User {
  id: number;
  /** Null for the system user only. */
  orgId: number | null;
  name: string;
  email: string | null;
  /** Used without confirmation, while no mail could be sent. */
  emailUnproven: boolean;
  admin: boolean;
  demo: boolean;
  state: UserState;
  /** The flags that are set. */
  onboardingFlags: Partial<Record<OnboardingFlag | OnboardingExtraFlag, true>>;
  emailAlerts: boolean;
  phoneNumber: string | null;
  chatMemberId: string | null;
  lastLoginAt: Date | null;
}

/** A user as documents name one: the address, or the id. */
export type UserRef = number | string;

export interface NewUser {
  orgId: number;
  email: string;
  name?: string;
  admin?: boolean;
  /** Without a password the user is invited and cannot log in yet. */
  password?: string;
}

/** Changes of a user; omitted members keep their values. An address must be checked and free. */
export type UserFields = Partial<
  Pick<User, 'name' | 'email' | 'emailUnproven' | 'admin' | 'state' | 'emailAlerts' | 'phoneNumber' | 'chatMemberId'>
>;

/** The account of an address, as a login needs it. */
export interface LoginAccount {
  userId: number;
  orgId: number;
  passwordHash: string | null;
  state: UserState;
}

/** For whom user records are shown. */
export interface Viewer {
  /** Null for tokens. */
  userId: number | null;
  /** May see addresses and last logins of others. */
  admin: boolean;
  /** Sees no other users at all. */
  demo: boolean;
}
