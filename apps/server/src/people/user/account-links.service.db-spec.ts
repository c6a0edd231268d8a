import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { Transactions } from '../../common/database/transactions.js';
import { AccountLinksService } from './account-links.service.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

let identity: IdentityApp;
let links: AccountLinksService;
let userId: number;

beforeAll(async () => {
  identity = await IdentityApp.create();
  links = identity.get(AccountLinksService);
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.clock.seconds = START;
  userId = (await identity.aUser((await identity.anOrg()).id)).id;
});

const aReset = (user = userId) => ({ userId: user, purpose: 'reset', validSeconds: HOUR, form: 'url43' }) as const;

describe('AccountLinksService', () => {
  it('creates unique tokens of the given form', async () => {
    const hex = await links.create({ ...aReset(), purpose: 'verify', form: 'hex32' });
    const url = await links.create(aReset());
    expect(hex).toMatch(/^[0-9a-f]{32}$/);
    expect(url).toMatch(/^[\w-]{43}$/);
    expect(await links.create(aReset())).not.toBe(url);
  });

  it('stores neither the token nor the payload in clear', async () => {
    const token = await links.create({ ...aReset(), purpose: 'email_change', payload: 'new@example.org' });
    const rows: unknown = await identity.database.dataSource.query(
      'SELECT account_link::text FROM account_link WHERE user_id = $1',
      [userId],
    );
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString('hex'));
    expect(stored).not.toContain('new@example.org');
    expect(await links.redeem('email_change', token)).toEqual({
      userId,
      purpose: 'email_change',
      payload: 'new@example.org',
    });
  });

  it('redeems a link once', async () => {
    const token = await links.create(aReset());
    expect(await links.redeem('reset', token)).toEqual({ userId, purpose: 'reset', payload: null });
    expect(await links.redeem('reset', token)).toBe('expired');
  });

  it('redeems a link once in concurrent calls', async () => {
    const token = await links.create(aReset());
    const answers = await Promise.all(Array.from({ length: 8 }, () => links.redeem('reset', token)));
    expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 'expired')).toHaveLength(7);
  });

  it('does not use up the link when the transaction fails', async () => {
    const token = await links.create(aReset());
    const failing = identity.get(Transactions).run(async (tx) => {
      await links.redeem('reset', token, tx);
      throw new Error('something else');
    });
    await expect(failing).rejects.toThrow('something else');
    expect(await links.redeem('reset', token)).toMatchObject({ userId });
  });

  it('redeems a link only for its purpose', async () => {
    const token = await links.create({ ...aReset(), purpose: 'invite' });
    expect(await links.redeem('reset', token)).toBe('unknown');
    expect(await links.redeem(['verify', 'invite'], token)).toMatchObject({ userId, purpose: 'invite' });
  });

  it('rejects a link from the second of its expiry', async () => {
    const token = await links.create(aReset());
    identity.clock.seconds = START + HOUR;
    expect(await links.redeem('reset', token)).toBe('expired');
    const other = await links.create(aReset());
    identity.clock.seconds += HOUR - 1;
    expect(await links.redeem('reset', other)).toMatchObject({ userId });
  });

  it('returns unknown for an invented token', async () => {
    expect(await links.redeem('reset', 'x'.repeat(43))).toBe('unknown');
    expect(await links.redeem('reset', '')).toBe('unknown');
  });

  it('replaces an older link of the same user and purpose', async () => {
    const other = (await identity.aUser((await identity.anOrg()).id)).id;
    const [older, invite, foreign] = [
      await links.create(aReset()),
      await links.create({ ...aReset(), purpose: 'invite' }),
      await links.create(aReset(other)),
    ];
    await links.create(aReset());
    expect(await links.redeem('reset', older)).toBe('expired');
    expect(await links.redeem('invite', invite)).toMatchObject({ userId });
    expect(await links.redeem('reset', foreign)).toMatchObject({ userId: other });
  });

  it('revokes the links of one purpose, or all', async () => {
    const [reset, invite] = [await links.create(aReset()), await links.create({ ...aReset(), purpose: 'invite' })];
    await links.revokeAllOf(userId, 'reset');
    expect(await links.redeem('reset', reset)).toBe('expired');
    await links.revokeAllOf(userId);
    expect(await links.redeem('invite', invite)).toBe('expired');
  });

  it('erases links 30 days after their expiry', async () => {
    const token = await links.create(aReset());
    identity.clock.seconds = START + 29 * DAY;
    await links.forgetExpired();
    expect(await links.redeem('reset', token)).toBe('expired');
    identity.clock.seconds = START + 31 * DAY;
    await links.forgetExpired();
    expect(await links.redeem('reset', token)).toBe('unknown');
  });
});

describe('codes of account links', () => {
  const aCode = () => ({ ...aReset(), purpose: 'login_code', payload: '012345' }) as const;

  it('are checked against the link of a token or of a user', async () => {
    const token = await links.create(aCode());
    expect(await links.tryCode('login_code', { token }, ['012345'])).toMatchObject({ userId });
    expect(await links.tryCode('login_code', { userId }, ['012345'])).toMatchObject({ userId });
    expect(await links.tryCode('login_code', { userId }, ['012346'])).toBe('wrong');
    expect(await links.tryCode('login_code', { token: 'made up' }, ['012345'])).toBe('unknown');
    expect(await links.tryCode('login_code', { userId: 1 }, ['012345'])).toBe('unknown');
  });

  it('can be tried five times, also in concurrent calls', async () => {
    await links.create(aCode());
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => links.tryCode('login_code', { userId }, ['000000'])),
    );
    expect(answers.filter((answer) => answer === 'wrong')).toHaveLength(5);
    expect(answers.filter((answer) => answer === 'expired')).toHaveLength(7);
    expect(await links.tryCode('login_code', { userId }, ['012345'])).toBe('expired');
  });

  it('are valid only for the newest link', async () => {
    await links.create({ ...aCode(), payload: '111111' });
    await links.create({ ...aCode(), payload: '222222' });
    expect(await links.tryCode('login_code', { userId }, ['111111'])).toBe('wrong');
    expect(await links.tryCode('login_code', { userId }, ['222222'])).toMatchObject({ userId });
  });

  it('use up their link once', async () => {
    await links.create(aCode());
    const open = await links.tryCode('login_code', { userId }, ['012345']);
    if (typeof open === 'string') throw new Error(open);
    const used = await Promise.all([links.use('login_code', open), links.use('login_code', open)]);
    expect(used.sort()).toEqual([false, true]);
    expect(await links.tryCode('login_code', { userId }, ['012345'])).toBe('expired');
  });

  it('identify the user by the token of the link', async () => {
    const token = await links.create(aCode());
    expect(await links.holderOf('login_code', token)).toBe(userId);
    expect(await links.holderOf('reset', token)).toBeNull();
  });
});
