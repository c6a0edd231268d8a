import { ALL_PERMISSIONS, Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { TokenDirectoryService } from './token-directory.service.js';
import { TokenLimitReachedError, TokenNotFoundError } from './token.errors.js';
import { type NewToken, TokenService } from './token.service.js';

const DAY = 86_400;

let identity: IdentityApp;
let tokens: TokenService;
let directory: TokenDirectoryService;
let orgId: number;

beforeAll(async () => {
  identity = await IdentityApp.create();
  tokens = identity.get(TokenService);
  directory = identity.get(TokenDirectoryService);
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.clock.seconds = START;
  orgId = (await identity.anOrg({ timezone: 'Europe/Oslo' })).id;
});

function aNewToken(overrides: Partial<NewToken> = {}): NewToken {
  return {
    name: 'prometheus prod',
    permissions: Permission.Ingest,
    validUntil: null,
    createdUserId: null,
    ...overrides,
  };
}

const at = (seconds: number): Date => new Date(seconds * 1000);

describe('create', () => {
  it('returns the whole token, which then authenticates', async () => {
    const { id: userId } = await identity.aUser(orgId);
    const created = aNewToken({ permissions: Permission.Read | Permission.Ingest, createdUserId: userId });
    const token = await tokens.create(orgId, created);
    expect(token).toEqual({
      id: expect.stringMatching(/^pl_[\w-]{43}$/),
      org_id: orgId,
      valid_until: null,
      permissions: { read: true, write: false, alert: false, ingest: true, admin: false },
      ref: expect.any(Number),
      name: 'prometheus prod',
      created_timestamp: START,
      created_user_id: userId,
      last_used_timestamp: null,
    });
    expect(await directory.find(token.id)).toMatchObject({
      tokenRef: token.ref,
      permissions: Permission.Read | Permission.Ingest,
      org: { id: orgId, timezone: 'Europe/Oslo' },
    });
  });

  it('does not store the token in clear', async () => {
    const { id, ref } = await tokens.create(orgId, aNewToken());
    const rows: object[] = await identity.database.dataSource.query(
      'SELECT t::text AS row FROM token t WHERE ref = $1',
      [ref],
    );
    expect(JSON.stringify(rows)).not.toContain(id.slice(3, 20));
  });

  it('rejects more than 100 tokens of an organisation, also with concurrent requests', async () => {
    await identity.database.dataSource.query(
      `INSERT INTO token (org_id, hash, sealed, name, permissions, created_at)
       SELECT $1, sha256((random()::text || n)::bytea), '', 'filler', 1, now() FROM generate_series(1, 97) n`,
      [orgId],
    );
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => tokens.create(orgId, aNewToken())));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(3);
    expect(refused[0]?.reason).toBeInstanceOf(TokenLimitReachedError);
    const other = await identity.anOrg();
    await expect(tokens.create(other.id, aNewToken())).resolves.toBeDefined();
  });

  it('does not count deleted and expired tokens', async () => {
    await identity.database.dataSource.query(
      `INSERT INTO token (org_id, hash, sealed, name, permissions, created_at, valid_until, deleted_at)
       SELECT $1, sha256((random()::text || n)::bytea), '', 'filler', 1, now(),
              CASE WHEN n = 1 THEN to_timestamp($2) END, CASE WHEN n = 2 THEN to_timestamp($2) END
         FROM generate_series(1, 101) n`,
      [orgId, START - 1],
    );
    await expect(tokens.create(orgId, aNewToken())).resolves.toBeDefined();
    await expect(tokens.create(orgId, aNewToken())).rejects.toThrow(TokenLimitReachedError);
  });
});

describe('list', () => {
  it('returns whole or masked tokens, newest last', async () => {
    const [one, two] = [await tokens.create(orgId, aNewToken()), await tokens.create(orgId, aNewToken())];
    expect((await tokens.list(orgId, true)).map(({ id }) => id)).toEqual([one.id, two.id]);
    expect((await tokens.list(orgId, false)).map(({ id }) => id)).toEqual([
      `************${one.id.slice(-4)}`,
      `************${two.id.slice(-4)}`,
    ]);
  });

  it('returns expired tokens for 30 days, and no deleted ones', async () => {
    const expiring = await tokens.create(orgId, aNewToken({ validUntil: at(START + 10) }));
    const deleted = await tokens.create(orgId, aNewToken());
    await tokens.delete(orgId, deleted.id);
    identity.clock.seconds = START + 9 + 30 * DAY;
    expect((await tokens.list(orgId, false)).map(({ ref }) => ref)).toEqual([expiring.ref]);
    identity.clock.seconds += 1;
    expect(await tokens.list(orgId, false)).toEqual([]);
  });

  it('returns no tokens of other organisations', async () => {
    await tokens.create(orgId, aNewToken());
    expect(await tokens.list((await identity.anOrg()).id, true)).toEqual([]);
  });

  it('masks a token whose copy was sealed under a lost key', async () => {
    const { ref } = await tokens.create(orgId, aNewToken());
    await identity.database.dataSource.query(`UPDATE token SET sealed = 'v1.00000000.x.y' WHERE ref = $1`, [ref]);
    expect((await tokens.list(orgId, true))[0]?.id).toBe('************');
  });
});

describe('delete', () => {
  it('ends a token immediately, by token or by ref', async () => {
    const [one, two] = [await tokens.create(orgId, aNewToken()), await tokens.create(orgId, aNewToken())];
    expect(await directory.find(one.id)).toMatchObject({ kind: 'token' });
    expect(await tokens.delete(orgId, one.id)).toMatchObject({ ref: one.ref, id: `************${one.id.slice(-4)}` });
    await tokens.delete(orgId, `ref:${String(two.ref)}`);
    expect(await directory.find(one.id)).toBe('unknown');
    expect(await directory.find(two.id)).toBe('unknown');
  });

  it('takes effect within 5 seconds in a process that has cached the token', async () => {
    const elsewhere = await IdentityApp.create({ database: identity.database });
    try {
      const { id } = await tokens.create(orgId, aNewToken());
      expect(await elsewhere.get(TokenDirectoryService).find(id)).toMatchObject({ kind: 'token' });
      await tokens.delete(orgId, id);
      elsewhere.clock.seconds += 5;
      expect(await elsewhere.get(TokenDirectoryService).find(id)).toBe('unknown');
    } finally {
      await elsewhere.close();
    }
  });

  it('is idempotent', async () => {
    const { id, ref } = await tokens.create(orgId, aNewToken());
    const first = await tokens.delete(orgId, id);
    expect(await tokens.delete(orgId, id)).toEqual(first);
    expect(await tokens.delete(orgId, `ref:${String(ref)}`)).toEqual(first);
  });

  it('throws for a token of another organisation', async () => {
    const { id, ref } = await tokens.create(orgId, aNewToken());
    const stranger = (await identity.anOrg()).id;
    await expect(tokens.delete(stranger, id)).rejects.toThrow(TokenNotFoundError);
    await expect(tokens.delete(stranger, `ref:${String(ref)}`)).rejects.toThrow(TokenNotFoundError);
    expect(await directory.find(id)).toMatchObject({ tokenRef: ref });
  });

  it.each(['', 'ref:', 'ref:0', 'ref:-1', 'ref:99999999999', 'ref:1x', '7', 'pl_unknown', '************abcd'])(
    'throws for the unknown token %j',
    async (name) => {
      await expect(tokens.delete(orgId, name)).rejects.toThrow(TokenNotFoundError);
    },
  );
});

describe('last use', () => {
  it('is written in batches and never decreases', async () => {
    const { id, ref } = await tokens.create(orgId, aNewToken({ permissions: ALL_PERMISSIONS }));
    identity.clock.seconds = START + 100;
    await directory.find(id);
    await directory.uses.flush();
    directory.uses.record(ref, START + 50);
    await directory.uses.flush();
    expect(await tokens.list(orgId, true)).toMatchObject([{ last_used_timestamp: START + 100 }]);
  });
});

describe('events of tokens', () => {
  it('are recorded once for each act of a user', async () => {
    const { id: userId } = await identity.aUser(orgId);
    const actor = { type: 'user', userId } as const;
    const { ref } = await tokens.create(orgId, aNewToken({ actor }));
    await tokens.delete(orgId, `ref:${String(ref)}`, actor);
    // Acts of the service itself are not events.
    await tokens.create(orgId, aNewToken());
    await identity.get(EventRecorderService).flush();
    const token = await identity.aToken(orgId, Permission.Read);
    const { body } = await identity
      .http()
      .get('/api/org/events?type=token_created,token_removed')
      .set('X-Auth-Token', token);
    const common = { level: 'info', user_id: userId, ref: { kind: 'token', id: String(ref) } };
    expect(body.data.events).toMatchObject([
      { ...common, type: 'token_removed', text: 'The token "prometheus prod" was removed.' },
      { ...common, type: 'token_created', text: 'The token "prometheus prod" was created.' },
    ]);
    expect(body.data.total).toBe(2);
  });
});

describe('PUT /org/tokens/{id}', () => {
  const change = async (ref: number | string, body: object) => {
    const admin = await identity.aToken(orgId, Permission.Admin);
    const { status, body: answer } = await identity
      .http()
      .put(`/api/org/tokens/${typeof ref === 'number' ? `ref:${String(ref)}` : ref}`)
      .set('X-Auth-Token', admin)
      .send(body);
    return { status, data: answer.data };
  };

  it('changes name and expiry and removes permissions, with immediate effect', async () => {
    const { id, ref } = await tokens.create(orgId, aNewToken({ permissions: Permission.Read | Permission.Ingest }));
    expect(await directory.find(id)).toMatchObject({ permissions: Permission.Read | Permission.Ingest });
    const wanted = { name: 'telegraf', valid_until: START + 100, permissions: ['ingest'] };
    const { status, data } = await change(ref, wanted);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      token: {
        id: `************${id.slice(-4)}`,
        name: 'telegraf',
        valid_until: START + 100,
        permissions: { read: false, ingest: true },
      },
      message: 'OK',
    });
    expect(await directory.find(id)).toMatchObject({ permissions: Permission.Ingest });
    expect((await change(id, { valid_until: null })).data.token).toMatchObject({ name: 'telegraf', valid_until: null });
    // The same values again are not a change.
    await change(ref, { name: 'telegraf', valid_until: null });
    const entries = await identity.database.dataSource.query(
      `SELECT changes FROM audit_entry WHERE org_id = $1 AND action = 'token.update' ORDER BY id`,
      [orgId],
    );
    expect(entries).toEqual([
      {
        changes: [
          { field: 'name', before: 'prometheus prod', after: 'telegraf' },
          expect.objectContaining({ field: 'permissions' }),
          { field: 'valid_until', before: null, after: START + 100 },
        ],
      },
      { changes: [{ field: 'valid_until', before: START + 100, after: null }] },
    ]);
    await identity.get(EventRecorderService).flush();
    const events = await identity.database.dataSource.query(
      `SELECT text FROM org_event WHERE org_id = $1 AND type = 'token_changed'`,
      [orgId],
    );
    expect(events).toEqual([
      { text: 'The token "telegraf" was changed.' },
      { text: 'The token "telegraf" was changed.' },
    ]);
  });

  it('rejects additional permissions', async () => {
    const { ref } = await tokens.create(orgId, aNewToken());
    const { status, data } = await change(ref, { permissions: ['ingest', 'read', 'admin'] });
    expect(status).toBe(400);
    expect(data.error.details).toEqual([
      {
        field: 'permissions',
        code: 'not_one_of',
        message:
          'permissions must not have read, admin: the token does not have that, and permissions can only be removed',
      },
    ]);
    expect((await change(ref, { permissions: [] })).data.error.details).toMatchObject([{ code: 'too_few' }]);
    expect((await change(ref, { valid_until: START - 1 })).data.error.details).toMatchObject([
      { code: 'out_of_range' },
    ]);
  });

  it('answers 404 for a token that has ended or belongs to another organisation', async () => {
    const { ref } = await tokens.create(orgId, aNewToken());
    await tokens.delete(orgId, `ref:${String(ref)}`);
    expect((await change(ref, { name: 'x' })).status).toBe(404);
    const theirs = await tokens.create((await identity.anOrg()).id, aNewToken());
    expect((await change(theirs.ref, { name: 'x' })).status).toBe(404);
    expect((await change(theirs.id, { name: 'x' })).status).toBe(404);
  });
});
