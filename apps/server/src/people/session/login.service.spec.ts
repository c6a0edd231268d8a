import { type Transactions } from '../../common/database/transactions.js';
import { type PasswordService } from '../user/password.service.js';
import { type UserService } from '../user/user.service.js';
import { type LoginAccount } from '../user/user.types.js';
import { type LoginCodesService } from './login-codes.service.js';
import { type LoginLimiter } from './login-limiter.js';
import { LoginService } from './login.service.js';
import { type KnownClientsService, type SessionEntryService } from './session-entry.service.js';
import { LoginFailedError } from './session.errors.js';

const RIGHT = 'correct horse battery';
const FROM = { address: '192.0.2.1' };

/** The service with one account, and the steps it took, in order. */
function aLoginService(account: LoginAccount | null, refusal?: Error, knownTo?: number) {
  const steps: string[] = [];
  const limiter = {
    begin: async () => {
      steps.push('count');
      if (refusal) throw refusal;
      return { account: 'a', address: 'b' };
    },
    beginOfOwner: async (owner: object) => {
      steps.push(`count apart ${Object.keys(owner).join()}`);
      return { account: 'a', address: null };
    },
    forgive: async () => void steps.push('forgive'),
    noteFailure: () => void steps.push('note'),
    unlessBroken: (_: unknown, check: () => Promise<boolean>) => check(),
  };
  const users = { findLogin: async () => account };
  const passwords = {
    verify: async (hash: string | null, password: string) => {
      steps.push(`check ${String(hash)}`);
      return hash !== null && password === RIGHT;
    },
  };
  const logins = new LoginService(
    limiter as unknown as LoginLimiter,
    users as unknown as UserService,
    { isKnown: async (_: string, userId: number | null) => userId === knownTo } as unknown as KnownClientsService,
    passwords as unknown as PasswordService,
    {} as LoginCodesService,
    {} as SessionEntryService,
    {} as Transactions,
  );
  return { logins, steps };
}

function anAccount(overrides: Partial<LoginAccount> = {}): LoginAccount {
  return { userId: 101, orgId: 12, passwordHash: 'hash', state: 'active', ...overrides };
}

describe('LoginService.verify', () => {
  it('returns the account, and takes back the counted attempt', async () => {
    const { logins, steps } = aLoginService(anAccount());
    expect(await logins.verify('ann@example.org', RIGHT, FROM)).toEqual(anAccount());
    expect(steps).toEqual(['count', 'check hash', 'forgive']);
  });

  it.each([
    ['an unknown account', null, RIGHT, 'check null'],
    ['a wrong password', anAccount(), 'wrong', 'check hash'],
    ['a disabled account', anAccount({ state: 'disabled' }), RIGHT, 'check hash'],
    ['an invited user without password', anAccount({ state: 'invited', passwordHash: null }), RIGHT, 'check null'],
  ])('checks one password for %s, and keeps the attempt counted', async (_, account, password, check) => {
    const { logins, steps } = aLoginService(account);
    await expect(logins.verify('ann@example.org', password, FROM)).rejects.toThrow(LoginFailedError);
    expect(steps).toEqual(['count', check, 'note']);
  });

  it('checks no password when the limit is reached', async () => {
    const { logins, steps } = aLoginService(anAccount(), new Error('too many'));
    await expect(logins.verify('ann@example.org', RIGHT, FROM)).rejects.toThrow('too many');
    expect(steps).toEqual(['count']);
  });

  it.each([
    ['a client that is known to the account', { clientId: 'known' }, 101, 'count apart clientId'],
    ['a client that is known to another account', { clientId: 'known' }, 102, 'count'],
    ['a user who is logged in', { userId: 101 }, undefined, 'count apart userId'],
  ])('counts an attempt by %s with the expected counter', async (_, from, knownTo, count) => {
    const { logins, steps } = aLoginService(anAccount(), undefined, knownTo);
    await logins.verify('ann@example.org', RIGHT, { ...FROM, ...from });
    expect(steps).toEqual([count, 'check hash', 'forgive']);
  });
});
