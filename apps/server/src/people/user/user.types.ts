import {
  ONBOARDING_EXTRA_FLAGS,
  ONBOARDING_FLAGS,
  type OnboardingExtraFlag,
  type OnboardingFlag,
  type OnboardingFlags,
  Permission,
} from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { secondsOf } from '../../common/time.js';
import { type OrgDto } from '../org/org-record.types.js';
import { type UserDto } from './user-record.types.js';
import { USER_STATES, type UserState } from './user-state.types.js';

export { USER_STATES };
export type { UserState };

/** Flags that users set themselves; the other four tell what the service has seen. */
export const OWN_FLAGS = [
  'main_intro',
  'alerts_intro',
  'alerts_from_search',
  'training_intro',
  ...ONBOARDING_EXTRA_FLAGS,
] as const;
export type OwnFlag = (typeof OWN_FLAGS)[number];

/** The one who does what the service does by itself. */
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
  /** Taken without showing to have it, while nothing could be mailed. */
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

/** What may be changed of a user; a member that is left out stays. An address must be checked and free. */
export type UserFields = Partial<
  Pick<User, 'name' | 'email' | 'emailUnproven' | 'admin' | 'state' | 'emailAlerts' | 'phoneNumber' | 'chatMemberId'>
>;

/** What a login needs to know of the account of an address. */
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

export function viewerOf(caller: KnownCaller): Viewer {
  const admin = (caller.permissions & Permission.Admin) !== 0;
  return caller.kind === 'user'
    ? { userId: caller.userId, admin, demo: caller.demo }
    : { userId: null, admin, demo: false };
}

/** The User record as `viewer` may see it: contact data of others is for administrators. */
export function toUserDto(user: User, org: OrgDto, viewer: Viewer): UserDto {
  const seesAll = viewer.admin || viewer.userId === user.id;
  return {
    id: user.id,
    org_id: org.id,
    name: user.name,
    email: seesAll ? (user.email ?? '') : '',
    phone_number: seesAll ? (user.phoneNumber ?? '') : null,
    chat_member_id: seesAll ? user.chatMemberId : null,
    demo: user.demo,
    admin: user.admin,
    org,
    notifications: { email_alerts: user.emailAlerts },
    onboarding_flags: mainFlags(user.onboardingFlags),
    state: user.state,
    last_login_timestamp: seesAll && user.lastLoginAt ? secondsOf(user.lastLoginAt) : null,
  };
}

/** How a user is called where everybody reads it, as in events: never by the address. */
export function nameForOthers({ id, name }: Pick<User, 'id' | 'name'>): string {
  return name === '' ? `User ${String(id)}` : name;
}

/** How `viewer` reads the name of a user: administrators see the address of one without name. */
export function displayName(user: Pick<User, 'id' | 'name' | 'email'>, { admin }: Pick<Viewer, 'admin'>): string {
  return user.name === '' && admin && user.email !== null ? user.email : nameForOthers(user);
}

/** Addresses are compared ignoring case. */
export function isSameEmail(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

/** A user as the object of an audit entry. */
export function auditedUser({ id, name, email }: User): { type: 'user'; id: string; name: string } {
  return { type: 'user', id: String(id), name: name === '' ? (email ?? '') : name };
}

/** Whether `viewer` may know that the user exists. */
export function isVisibleTo(user: User, viewer: Viewer): boolean {
  return !viewer.demo || viewer.userId === user.id;
}

/** The flags as the status block shows them: the eight always, the others once set. */
export function toOnboardingFlags(set: User['onboardingFlags']): OnboardingFlags {
  const extra = ONBOARDING_EXTRA_FLAGS.filter((flag) => set[flag]).map((flag) => [flag, true] as const);
  return { ...mainFlags(set), ...Object.fromEntries(extra) };
}

function mainFlags(set: User['onboardingFlags']): Record<OnboardingFlag, boolean> {
  return Object.fromEntries(ONBOARDING_FLAGS.map((flag) => [flag, set[flag] ?? false])) as Record<
    OnboardingFlag,
    boolean
  >;
}
