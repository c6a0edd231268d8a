import { ALL_PERMISSIONS, Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { SessionService } from './session.service.js';

const HOUR = 3600;
const DAY = 86_400;

let identity: IdentityApp;
let sessions: SessionService;
let orgId: number;

beforeAll(async () => {
  identity = await IdentityApp.create();
  sessions = identity.get(SessionService);
  orgId = (await identity.anOrg({ timezone: 'Europe/Oslo' })).id;
});
afterAll(() => identity.close());
beforeEach(() => {
  identity.clock.seconds = START;
});

async function aUserWithSession(): Promise<{ userId: number; id: string }> {
  const { id: userId } = await identity.aUser(orgId);
  return { userId, id: await identity.aSession(userId) };
}

describe('find', () => {
  it('returns the caller of a session', async () => {
    const { userId, id } = await aUserWithSession();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await sessions.find(id)).toEqual({
      kind: 'user',
      org: { id: orgId, timezone: 'Europe/Oslo', onboardingStatusId: 1 },
      permissions: Permission.Read | Permission.Write | Permission.Alert,
      userId,
      admin: false,
      demo: false,
      onboardingFlags: expect.objectContaining({ main_intro: false }),
      sessionId: id,
    });
  });

  it('returns all permissions for administrators, and only read for demo users', async () => {
    const admin = await identity.aUser(orgId, { admin: true });
    expect(await sessions.find(await identity.aSession(admin.id))).toMatchObject({
      admin: true,
      permissions: ALL_PERMISSIONS,
    });
    await identity.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [admin.id]);
    expect(await sessions.find(await identity.aSession(admin.id))).toMatchObject({
      demo: true,
      permissions: Permission.Read,
    });
  });

  it('returns unknown for an invented id', async () => {
    expect(await sessions.find('0'.repeat(32))).toBe('unknown');
    expect(await sessions.find('')).toBe('unknown');
    expect(await sessions.find("' OR true --")).toBe('unknown');
  });

  it('finds a session by a keyed hash, so that the id is not stored in clear', async () => {
    const { id } = await aUserWithSession();
    const rows: { id_hash: Buffer }[] = await identity.database.dataSource.query('SELECT id_hash FROM session');
    expect(rows.map((row) => row.id_hash.toString('hex').slice(0, 32))).not.toContain(id);
    expect(rows).toContainEqual({ id_hash: identity.get(Secrets).keyedHash('session', id) });
  });

  it('returns unknown for a session that awaits its code', async () => {
    const { id } = await aUserWithSession();
    await identity.database.dataSource.query("UPDATE session SET kind = 'pending' WHERE id_hash = $1", [
      identity.get(Secrets).keyedHash('session', id),
    ]);
    expect(await sessions.find(id)).toBe('unknown');
  });

  it('returns ended for a disabled user', async () => {
    const { userId, id } = await aUserWithSession();
    await identity.database.dataSource.query("UPDATE user_account SET state = 'disabled' WHERE id = $1", [userId]);
    expect(await sessions.find(id)).toBe('ended');
  });
});

describe('a session', () => {
  it('expires after 7 days without use', async () => {
    const { id } = await aUserWithSession();
    identity.clock.seconds = START + 7 * DAY;
    expect(await sessions.find(id)).toBe('ended');
  });

  it('is extended by every use, before and after the use is written', async () => {
    const { id } = await aUserWithSession();
    identity.clock.seconds = START + 6 * DAY;
    expect(await sessions.find(id)).toMatchObject({ kind: 'user' });
    identity.clock.seconds = START + 12 * DAY;
    expect(await sessions.find(id)).toMatchObject({ kind: 'user' });
    await sessions.uses.flush();
    identity.clock.seconds = START + 18 * DAY;
    expect(await sessions.find(id)).toMatchObject({ kind: 'user' });
  });

  it('expires 30 days after the login in spite of use', async () => {
    const { id } = await aUserWithSession();
    for (let day = 5; day < 30; day += 5) {
      identity.clock.seconds = START + day * DAY;
      expect(await sessions.find(id)).toMatchObject({ kind: 'user' });
    }
    identity.clock.seconds = START + 30 * DAY;
    expect(await sessions.find(id)).toBe('ended');
  });

  it('has its uses written in batches, and never with an earlier time', async () => {
    const { id } = await aUserWithSession();
    identity.clock.seconds = START + HOUR;
    await sessions.find(id);
    await sessions.uses.flush();
    sessions.uses.record(identity.get(Secrets).keyedHash('session', id).toString('hex'), START + 10);
    await sessions.uses.flush();
    const rows: { last_seen_at: Date }[] = await identity.database.dataSource.query(
      'SELECT last_seen_at FROM session WHERE id_hash = $1',
      [identity.get(Secrets).keyedHash('session', id)],
    );
    expect(rows[0]?.last_seen_at.getTime()).toBe((START + HOUR) * 1000 + 250);
  });

  it('has its uses written when the process stops', async () => {
    const { id } = await aUserWithSession();
    const stopping = await IdentityApp.create({ database: identity.database });
    stopping.clock.seconds = START + HOUR;
    await stopping.get(SessionService).find(id);
    await stopping.close();
    identity.clock.seconds = START + 7 * DAY + HOUR - 1;
    expect(await sessions.find(id)).toMatchObject({ kind: 'user' });
  });

  it('renews its cookie once a day', async () => {
    const { id } = await aUserWithSession();
    identity.clock.seconds = START + DAY - 1;
    expect(await sessions.find(id)).not.toHaveProperty('renewCookieSeconds');
    identity.clock.seconds = START + DAY;
    expect(await sessions.find(id)).toMatchObject({ renewCookieSeconds: 7 * DAY });
    expect(await sessions.find(id)).not.toHaveProperty('renewCookieSeconds');
  });
});

describe('SessionService', () => {
  it('ends a session permanently and idempotently', async () => {
    const { id } = await aUserWithSession();
    await sessions.end(id);
    expect(await sessions.find(id)).toBe('ended');
    await sessions.end(id);
    await sessions.end('no session at all');
    expect(await sessions.find(id)).toBe('ended');
  });

  it('ends all sessions of a user except one, and none of other users', async () => {
    const { userId, id } = await aUserWithSession();
    const kept = await identity.aSession(userId);
    const other = await aUserWithSession();
    await sessions.endAllOf(userId, kept);
    expect(await sessions.find(id)).toBe('ended');
    expect(await sessions.find(kept)).toMatchObject({ userId });
    expect(await sessions.find(other.id)).toMatchObject({ userId: other.userId });
    await sessions.endAllOf(userId);
    expect(await sessions.find(kept)).toBe('ended');
  });

  it('ends the least recently used of more than 20 sessions of a user', async () => {
    const { id: userId } = await identity.aUser(orgId);
    const other = await aUserWithSession();
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      identity.clock.seconds = START + i;
      ids.push(await identity.aSession(userId));
    }
    identity.clock.seconds = START + 100;
    await sessions.find(ids[0]!);
    await sessions.uses.flush();
    await identity.aSession(userId);
    expect(await sessions.find(ids[0]!)).toMatchObject({ userId });
    expect(await sessions.find(ids[1]!)).toBe('ended');
    expect(await sessions.find(ids[2]!)).toMatchObject({ userId });
    expect(await sessions.find(other.id)).toMatchObject({ userId: other.userId });
  });

  it('ends no session for pending logins, of which it keeps one per user', async () => {
    const { userId, id } = await aUserWithSession();
    const pending: string[] = [];
    for (let i = 0; i < 25; i++) pending.push((await sessions.beginPending(userId, 600)).id);
    expect(await sessions.find(id)).toMatchObject({ userId });
    expect(await sessions.findPending(pending[23]!)).toBe('ended');
    expect(await sessions.findPending(pending[24]!)).toBe(userId);
    expect(await sessions.find(pending[24]!)).toBe('unknown');
    expect(await sessions.findPending(id)).toBe('unknown');
    await sessions.endAllOf(userId);
    expect(await sessions.findPending(pending[24]!)).toBe('ended');
  });

  it('ends a pending login after the given time', async () => {
    const { userId } = await aUserWithSession();
    const { id } = await sessions.beginPending(userId, 600);
    identity.clock.seconds = START + 599;
    expect(await sessions.findPending(id)).toBe(userId);
    identity.clock.seconds = START + 600;
    expect(await sessions.findPending(id)).toBe('ended');
    expect(await sessions.findPending('no id')).toBe('unknown');
  });

  it('never ends the session that has just started', async () => {
    const { id: userId } = await identity.aUser(orgId);
    for (let i = 0; i < 25; i++) {
      expect(await sessions.find(await identity.aSession(userId))).toMatchObject({ userId });
    }
  });

  it('keeps ended ids for 30 days, then erases them', async () => {
    const { id } = await aUserWithSession();
    const unused = (await aUserWithSession()).id;
    await sessions.end(id);
    identity.clock.seconds = START + 29 * DAY;
    await sessions.forgetDead();
    expect(await sessions.find(id)).toBe('ended');
    identity.clock.seconds = START + 31 * DAY;
    await sessions.forgetDead();
    expect(await sessions.find(id)).toBe('unknown');
    expect(await sessions.find(unused)).toBe('ended');
    identity.clock.seconds = START + 38 * DAY;
    await sessions.forgetDead();
    expect(await sessions.find(unused)).toBe('unknown');
  });

  it('does not erase an active session', async () => {
    const { userId, id } = await aUserWithSession();
    await sessions.forgetDead();
    expect(await sessions.find(id)).toMatchObject({ userId });
  });
});
