import { ONBOARDING_EXTRA_FLAGS, type OnboardingExtraFlag, type OnboardingFlag } from '#libs/contracts';

/** `invited` has no password yet; `disabled` cannot log in. */
export const USER_STATES = ['invited', 'active', 'disabled'] as const;
export type UserState = (typeof USER_STATES)[number];

/** Flags that users set themselves; the service sets the other four when it observes the act. */
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
 * Address of the first administrator if the operator has named none. No mail can be sent there, so its owner needs no
 * login code.
 */
export const PLACEHOLDER_EMAIL = 'admin@plumbline.local';

export interface User {
  id: number;
  /** Null for the system user only. */
  orgId: number | null;
  name: string;
  email: string | null;
  /** True if the address is used without confirmation, because no mail could be sent. */
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

/** A reference to a user in documents: the address, or the id. */
export type UserRef = number | string;

export interface NewUser {
  orgId: number;
  email: string;
  name?: string;
  admin?: boolean;
  /** Without a password the user is invited and cannot log in yet. */
  password?: string;
}

/** Changes of a user; omitted members keep their values. An address must already be validated and free. */
export type UserFields = Partial<
  Pick<User, 'name' | 'email' | 'emailUnproven' | 'admin' | 'state' | 'emailAlerts' | 'phoneNumber' | 'chatMemberId'>
>;

/** The account of an address, with the data that a login needs. */
export interface LoginAccount {
  userId: number;
  orgId: number;
  passwordHash: string | null;
  state: UserState;
}

/** The viewer of user records. */
export interface Viewer {
  /** Null for tokens. */
  userId: number | null;
  /** True if the viewer may see addresses and last logins of others. */
  admin: boolean;
  /** True if the viewer sees no other users at all. */
  demo: boolean;
}
