import { ALL_PERMISSIONS, Permission } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type User } from './user.types.js';
import { isVisibleTo, viewerOf } from './viewer.functions.js';

describe('viewerOf', () => {
  const base = { org: { id: 12, timezone: 'UTC', onboardingStatusId: 300 } } as const;

  it('takes the admin permission, not the kind of caller, for the right to see', () => {
    const token = (permissions: number): KnownCaller => ({ ...base, kind: 'token', permissions, tokenRef: 7 });
    expect(viewerOf(token(ALL_PERMISSIONS))).toEqual({ userId: null, admin: true, demo: false });
    expect(viewerOf(token(ALL_PERMISSIONS ^ Permission.Admin))).toEqual({ userId: null, admin: false, demo: false });
  });
});

describe('isVisibleTo', () => {
  const ann = { id: 101 } as User;

  it('lets demo users see themselves only', () => {
    expect(isVisibleTo(ann, { userId: 101, admin: false, demo: true })).toBe(true);
    expect(isVisibleTo(ann, { userId: 102, admin: false, demo: true })).toBe(false);
    expect(isVisibleTo(ann, { userId: 102, admin: false, demo: false })).toBe(true);
  });
});
