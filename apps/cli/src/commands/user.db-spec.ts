import { Installation } from '../../../../test/support/cli-installation.js';

let installation: Installation;
let orgId: number;

interface Account {
  id: number;
  state: string;
  admin: boolean;
  passwordHash: string | null;
}

beforeAll(async () => {
  installation = await Installation.create();
  orgId = await installation.anOrg('Example Ltd');
});
afterAll(() => installation.close());

async function account(email: string): Promise<Account | undefined> {
  const rows = await installation.query<Account>(
    'SELECT id, state, admin, password_hash AS "passwordHash" FROM user_account WHERE email = $1',
    [email],
  );
  return rows[0];
}

async function aUser(email: string, ...more: string[]): Promise<Account> {
  await installation.done(['user', 'create', '--email', email, ...more]);
  return (await account(email))!;
}

/** Inserts a session, a known client and a reset link, as if the user had logged in and requested a link. */
async function enter(userId: number): Promise<void> {
  const hash = Buffer.alloc(32, userId);
  await installation.query(
    `INSERT INTO session (id_hash, user_id, kind, created_at, last_seen_at, cookie_renewed_at, expires_at)
     VALUES ($1, $2, 'full', now(), now(), now(), now() + interval '1 day')`,
    [hash, userId],
  );
  await installation.query(
    `INSERT INTO known_client (client_hash, user_id, created_at, expires_at)
     VALUES ($1, $2, now(), now() + interval '1 day')`,
    [hash, userId],
  );
  await installation.query(
    `INSERT INTO account_link (token_hash, user_id, purpose, created_at, expires_at)
     VALUES ($1, $2, 'reset', now(), now() + interval '1 hour')`,
    [hash, userId],
  );
}

/** The number of live sessions, known clients and unused links of a user. */
async function access(userId: number): Promise<number[]> {
  const [row] = await installation.query<{ counts: number[] }>(
    `SELECT ARRAY[
       (SELECT count(*)::integer FROM session WHERE user_id = $1 AND ended_at IS NULL),
       (SELECT count(*)::integer FROM known_client WHERE user_id = $1),
       (SELECT count(*)::integer FROM account_link WHERE user_id = $1 AND used_at IS NULL AND expires_at > now())] AS counts`,
    [userId],
  );
  return row!.counts;
}

const lastAct = async () => (await installation.audit(orgId)).at(-1);

describe('plumbline user create', () => {
  it('creates a user, prints the password once and writes an audit entry', async () => {
    const { out, err } = await installation.done(['user', 'create', '--email', 'ada@example.org', '--admin']);
    const { id, state, admin } = (await account('ada@example.org'))!;
    expect({ state, admin }).toEqual({ state: 'active', admin: true });
    expect(out).toMatch(
      new RegExp(
        `^User ${id}: ada@example\\.org, administrator of "Example Ltd" \\(${orgId}\\)\nPassword: [\\w-]{20}\n$`,
      ),
    );
    expect(err).toContain('shown only once');
    expect(await lastAct()).toEqual({
      action: 'user.create',
      actorType: 'operator',
      objectId: String(id),
      objectName: 'ada@example.org',
      changes: [
        { field: 'email', before: null, after: 'ada@example.org' },
        { field: 'admin', before: null, after: true },
      ],
    });
  });

  it.each([
    ['a taken address', 'ada@example.org', 'correct horse battery\n', 1, 'already belongs to a user'],
    ['a weak password', 'bob@example.org', 'password1234\n', 2, 'password: The password'],
    ['no password at all', 'bob@example.org', '', 2, 'holds no password in its first line'],
    ['an invalid address', 'bob', 'correct horse battery\n', 2, '"bob" is not an e-mail address'],
  ])('refuses %s', async (_, email, stdin, code, message) => {
    const entries = await installation.audit(orgId);
    const ended = await installation.run(['user', 'create', '--email', email, '--password-stdin'], stdin);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toContain(message);
    expect(await installation.audit(orgId)).toEqual(entries);
  });
});

describe('plumbline user list', () => {
  it('lists users with their organisation, and prints the number of demo visitors left out', async () => {
    const other = await installation.anOrg('Listed');
    await aUser('list@example.org', '--org', 'Listed', '--name', 'Liz');
    await installation.query(
      `INSERT INTO user_account (org_id, name, state, demo) VALUES ($1, 'Vera', 'active', true)`,
      [other],
    );
    const { out, err } = await installation.done(['user', 'list', '--org', String(other)]);
    const { id } = (await account('list@example.org'))!;
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^ID +E-MAIL +NAME +STATE +ADMIN +LAST LOGIN +ORGANISATION$/),
      expect.stringMatching(new RegExp(`^${id} +list@example\\.org +Liz +active +never +Listed \\(${other}\\)$`)),
      '',
    ]);
    expect(err).toBe('1 visitor of the demo not shown.\n');
    const everybody = JSON.parse((await installation.done(['user', 'list', '--json'])).out) as { email: string }[];
    expect(everybody.map(({ email }) => email)).toEqual(
      expect.arrayContaining(['ada@example.org', 'list@example.org']),
    );
    expect(everybody.at(-1)).toEqual({
      id,
      email: 'list@example.org',
      name: 'Liz',
      state: 'active',
      admin: false,
      last_login_timestamp: null,
      org_id: other,
      org_name: 'Listed',
    });
    await installation.query('DELETE FROM org WHERE id = $1', [other]);
  });
});

describe('plumbline user set-password', () => {
  it('sets the password from standard input, and ends sessions, known clients and links', async () => {
    const before = await aUser('set@example.org');
    await enter(before.id);
    expect(await access(before.id)).toEqual([1, 1, 1]);
    const { out, err } = await installation.done(
      ['user', 'set-password', 'SET@example.org', '--password-stdin'],
      'a wholly new one\n',
    );
    expect(out).toBe(`User ${before.id} (set@example.org) has a new password; all sessions have ended.\n`);
    expect(err).toBe('');
    expect((await account('set@example.org'))!.passwordHash).not.toBe(before.passwordHash);
    expect(await access(before.id)).toEqual([0, 0, 0]);
    const act = await lastAct();
    expect(act).toMatchObject({ action: 'user.password_reset', actorType: 'operator', objectId: String(before.id) });
    expect(JSON.stringify(act)).not.toContain('wholly');
  });

  it('generates a password, and activates an invited user', async () => {
    const [{ id }] = (await installation.query<{ id: number }>(
      `INSERT INTO user_account (org_id, email, state, admin) VALUES ($1, 'invited@example.org', 'invited', false)
       RETURNING id`,
      [orgId],
    )) as [{ id: number }];
    const { out } = await installation.done(['user', 'set-password', String(id)]);
    expect(out).toMatch(/\nPassword: [\w-]{20}\n$/);
    expect((await account('invited@example.org'))!.state).toBe('active');
    expect((await lastAct())?.changes).toEqual([{ field: 'state', before: 'invited', after: 'active' }]);
  });

  it('keeps an organisation whose sign-up was not confirmed by mail', async () => {
    const unconfirmed = await installation.anOrg('Signed up');
    await installation.query(`UPDATE org SET wipe_at = now() + interval '1 hour' WHERE id = $1`, [unconfirmed]);
    await installation.query(
      `INSERT INTO user_account (org_id, email, state, admin) VALUES ($1, 'founder@example.org', 'invited', true)`,
      [unconfirmed],
    );
    await installation.done(['user', 'set-password', 'founder@example.org']);
    expect(await installation.query('SELECT wipe_at FROM org WHERE id = $1', [unconfirmed])).toEqual([
      { wipe_at: null },
    ]);
    await installation.query('DELETE FROM org WHERE id = $1', [unconfirmed]);
  });

  it('removes the login lock of the account', async () => {
    await aUser('locked@example.org');
    const { Secrets } = await import('../../../server/src/common/secrets/secrets.js');
    const { withServerServices } = await import('../server-access.js');
    const key = await withServerServices(async (services) =>
      services.get(Secrets).keyedHash('login account', 'locked@example.org').toString('base64url'),
    );
    await installation.query('INSERT INTO attempt_count (key, points, expire) VALUES ($1, 11, $2)', [
      `loginAccount:${key}`,
      Date.now() + 900_000,
    ]);
    await installation.done(['user', 'set-password', 'locked@example.org']);
    expect(await installation.query('SELECT key FROM attempt_count')).toEqual([]);
  });

  it('warns that a disabled user still cannot log in', async () => {
    await aUser('off@example.org');
    await installation.done(['user', 'disable', 'off@example.org']);
    const { err } = await installation.done(['user', 'set-password', 'off@example.org']);
    expect(err).toContain('plumbline user enable off@example.org');
    expect((await account('off@example.org'))!.state).toBe('disabled');
  });

  it.each([
    ['an unknown user', 'nobody@example.org', 'correct horse battery\n', 'there is no user "nobody@example.org"'],
    ['an unknown id', '99999999', 'correct horse battery\n', 'there is no user "99999999"'],
    ['a weak password', 'ada@example.org', 'short\n', 'password: The password'],
  ])('refuses %s', async (_, user, stdin, message) => {
    const before = await account('ada@example.org');
    const ended = await installation.run(['user', 'set-password', user, '--password-stdin'], stdin);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain(message);
    expect(await account('ada@example.org')).toEqual(before);
  });
});

describe('plumbline user disable, enable, remove', () => {
  it('disable ends access, enable restores the login, and remove deletes the user', async () => {
    const { id } = await aUser('ben@example.org');
    await enter(id);
    expect((await installation.done(['user', 'disable', 'ben@example.org'])).out).toContain('can no longer log in');
    expect((await account('ben@example.org'))!.state).toBe('disabled');
    expect((await access(id))[0]).toBe(0);
    expect(await lastAct()).toMatchObject({
      action: 'user.disable',
      actorType: 'operator',
      changes: [{ field: 'state', before: 'active', after: 'disabled' }],
    });
    expect((await installation.done(['user', 'disable', 'ben@example.org'])).out).toContain('is disabled already');

    expect((await installation.done(['user', 'enable', String(id)])).out).toContain('can log in again');
    expect((await account('ben@example.org'))!.state).toBe('active');
    expect(await lastAct()).toMatchObject({ action: 'user.enable', actorType: 'operator' });
    expect((await installation.done(['user', 'enable', String(id)])).out).toContain('is not disabled: active');

    const asked = await installation.run(['user', 'remove', 'ben@example.org']);
    expect(asked.code).toBe(2);
    expect(asked.err).toContain('Confirm with --yes');
    expect(await account('ben@example.org')).toBeDefined();
    expect((await installation.done(['user', 'remove', 'ben@example.org', '--yes'])).out).toContain('is removed');
    expect(await account('ben@example.org')).toBeUndefined();
    expect(await lastAct()).toMatchObject({ action: 'user.remove', actorType: 'operator', objectId: String(id) });
    expect(await installation.query(`SELECT type FROM org_event WHERE ref_id = $1 ORDER BY id`, [String(id)])).toEqual([
      { type: 'user_changed' },
      { type: 'user_changed' },
      { type: 'user_removed' },
    ]);
  });

  it('invites a user without password again on enable', async () => {
    await installation.query(
      `INSERT INTO user_account (org_id, email, state) VALUES ($1, 'never@example.org', 'disabled')`,
      [orgId],
    );
    const { out, err } = await installation.done(['user', 'enable', 'never@example.org']);
    expect(out).toContain('is invited again');
    expect(err).toContain('plumbline user set-password never@example.org');
    expect((await account('never@example.org'))!.state).toBe('invited');
  });

  it.each(['disable', 'remove'])('keeps the last administrator from being %sd', async (command) => {
    const args = ['user', command, 'ada@example.org', ...(command === 'remove' ? ['--yes'] : [])];
    const entries = await installation.audit(orgId);
    const ended = await installation.run(args);
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain('the only active administrator');
    expect((await account('ada@example.org'))!.state).toBe('active');
    expect(await installation.audit(orgId)).toEqual(entries);
  });
});
