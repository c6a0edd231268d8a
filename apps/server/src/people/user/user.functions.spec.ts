import { ALL_PERMISSIONS, Permission } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type OrgDto } from '../org/org.dto.js';
import { isVisibleTo, toOnboardingFlags, toUserDto, viewerOf } from './user.functions.js';
import { type User } from './user.types.js';

const org = { id: 12, name: 'Example Ltd' } as OrgDto;

function aUser(overrides: Partial<User> = {}): User {
  return {
    id: 101,
    orgId: 12,
    name: 'Ann',
    email: 'ann@example.org',
    emailUnproven: false,
    admin: false,
    demo: false,
    state: 'active',
    onboardingFlags: { main_intro: true, seen_card_all: true },
    emailAlerts: true,
    phoneNumber: '+4799999999',
    chatMemberId: 'U1',
    lastLoginAt: new Date('2025-10-09T08:53:20Z'),
    ...overrides,
  };
}

describe('toUserDto', () => {
  it('returns all data to the user', () => {
    expect(toUserDto(aUser(), org, { userId: 101, admin: false, demo: false })).toEqual({
      id: 101,
      org_id: 12,
      name: 'Ann',
      email: 'ann@example.org',
      phone_number: '+4799999999',
      chat_member_id: 'U1',
      demo: false,
      admin: false,
      org,
      notifications: { email_alerts: true },
      onboarding_flags: {
        main_intro: true,
        alerts_intro: false,
        alerts_from_search: false,
        training_intro: false,
        alert_created: false,
        test_alert_sent: false,
        two_alerts_sent: false,
        pattern_trained: false,
      },
      state: 'active',
      last_login_timestamp: 1_760_000_000,
    });
  });

  it.each([
    ['another user', { userId: 102, admin: false, demo: false }],
    ['a token without admin', { userId: null, admin: false, demo: false }],
  ])('hides contact data and last login from %s', (_, viewer) => {
    expect(toUserDto(aUser(), org, viewer)).toMatchObject({
      id: 101,
      name: 'Ann',
      email: '',
      phone_number: null,
      chat_member_id: null,
      last_login_timestamp: null,
    });
  });

  it.each([
    ['another administrator', { userId: 102, admin: true, demo: false }],
    ['a token with admin', { userId: null, admin: true, demo: false }],
  ])('returns contact data to %s', (_, viewer) => {
    expect(toUserDto(aUser(), org, viewer)).toMatchObject({ email: 'ann@example.org', phone_number: '+4799999999' });
  });

  it('distinguishes empty from hidden data', () => {
    const bare = aUser({ phoneNumber: null, chatMemberId: null, email: null, lastLoginAt: null });
    expect(toUserDto(bare, org, { userId: 101, admin: false, demo: false })).toMatchObject({
      email: '',
      phone_number: '',
      chat_member_id: null,
      last_login_timestamp: null,
    });
  });
});

describe('toOnboardingFlags', () => {
  it('returns the eight standard flags always, and others once they are set', () => {
    expect(Object.keys(toOnboardingFlags({}))).toHaveLength(8);
    expect(toOnboardingFlags({ seen_card_all: true, pattern_trained: true })).toMatchObject({
      pattern_trained: true,
      main_intro: false,
      seen_card_all: true,
    });
    expect(toOnboardingFlags({ seen_card_all: true })).not.toHaveProperty('seen_card_matches');
  });
});

describe('viewerOf', () => {
  const base = { org: { id: 12, timezone: 'UTC', onboardingStatusId: 300 } } as const;

  it('derives admin from the permission of a token', () => {
    const token = (permissions: number): KnownCaller => ({ ...base, kind: 'token', permissions, tokenRef: 7 });
    expect(viewerOf(token(ALL_PERMISSIONS))).toEqual({ userId: null, admin: true, demo: false });
    expect(viewerOf(token(ALL_PERMISSIONS ^ Permission.Admin))).toEqual({ userId: null, admin: false, demo: false });
  });
});

describe('isVisibleTo', () => {
  const ann = { id: 101 } as User;

  it('is true for demo users only for themselves', () => {
    expect(isVisibleTo(ann, { userId: 101, admin: false, demo: true })).toBe(true);
    expect(isVisibleTo(ann, { userId: 102, admin: false, demo: true })).toBe(false);
    expect(isVisibleTo(ann, { userId: 102, admin: false, demo: false })).toBe(true);
  });
});
