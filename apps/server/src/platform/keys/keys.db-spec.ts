import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { AuditEntryEntity } from '../audit/audit-entry.entity.js';
import { AuditTrailRepository } from '../audit/audit-trail.repository.js';
import { AuditTrailService } from '../audit/audit-trail.service.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { Transactions } from '../../common/database/transactions.js';
import { KeySource } from '../../common/secrets/key-source.js';
import { SecretKey } from '../../common/secrets/secret-key.js';
import { keyIdOf, Secrets } from '../../common/secrets/secrets.js';
import { KeyRegisterService } from './key-register.service.js';
import { KeyRotationService } from './key-rotation.service.js';
import { KeyInUseError, RotationRunningError, WrongSecretKeyError } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';
import { SEALED_COLUMNS, type SealedColumn } from './keys.types.js';

const SERVER = join(import.meta.dirname, '../..');

let database: TestDatabase;
let folder: string;
let clock: HandClock;
let orgId: number;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  clock = new HandClock(START, 0);
  await query('DELETE FROM org');
  await query('DELETE FROM mail_outbox');
  await query('DELETE FROM secret_key');
  orgId = (await query<{ id: number }>(`INSERT INTO org (name) VALUES ('Test') RETURNING id`))[0]!.id;
});
afterEach(() => rm(folder, { recursive: true }));

function query<T>(sql: string, parameters?: unknown[]): Promise<T[]> {
  return database.dataSource.query(sql, parameters);
}

interface Installation {
  secrets: Secrets;
  register: KeyRegisterService;
  rotation: KeyRotationService;
}

/** Creates a process with the keys of the folder, or with the given ones. */
async function aProcess(
  environment: { secretKey?: string; previousSecretKeys?: string[] } = {},
): Promise<Installation> {
  const { secretKey, previousSecretKeys = [] } = environment;
  const { dataSource } = database;
  const source = new KeySource({ secretKey, previousSecretKeys, dataFolder: folder });
  const secrets = new Secrets(await source.read(), () => clock.now());
  const keys = new KeysRepository(dataSource);
  const transactions = new Transactions(dataSource);
  const audit = new AuditTrailService(new AuditTrailRepository(dataSource.getRepository(AuditEntryEntity)), clock);
  const register = new KeyRegisterService(keys, secrets, source, audit, transactions, clock);
  const locks = new AdvisoryLocks(dataSource);
  const rotation = new KeyRotationService(keys, register, secrets, source, transactions, locks, clock);
  return { secrets, register, rotation };
}

const surroundings = (logLines: string[] = []) => ({
  log: (line: string) => void logLines.push(line),
  pause: async (seconds: number) => void (clock.seconds += Math.ceil(seconds)),
});

/** Writes a sealed text into each sealed column, in rows of one organisation. */
async function fill(secrets: Secrets): Promise<void> {
  const hash = secrets.keyedHash('token', 'pl_text');
  await query(
    `INSERT INTO token (org_id, hash, sealed, name, permissions, created_at) VALUES ($1, $2, $3, 't', 1, now())`,
    [orgId, hash, secrets.seal('token', `org/${String(orgId)}`, 'pl_text')],
  );
  await query('UPDATE org SET chat_api_token_sealed = $2, teams_chat_webhook_sealed = $3 WHERE id = $1', [
    orgId,
    secrets.seal('chat-api-token', `org/${String(orgId)}`, 'xoxb'),
    secrets.seal('teams-chat-webhook', `org/${String(orgId)}`, 'https://chat'),
  ]);
  const id = '00000000-0000-4000-8000-000000000001';
  await query('INSERT INTO mail_outbox (id, org_id, sealed, created_at, due_at) VALUES ($1, $2, $3, now(), now())', [
    id,
    orgId,
    secrets.seal('mail', `mail_outbox/${id}`, 'mail'),
  ]);
  const [user] = await query<{ id: number }>(
    `INSERT INTO user_account (org_id, state) VALUES ($1, 'active') RETURNING id`,
    [orgId],
  );
  const link = secrets.keyedHash('account link', 'token');
  await query(
    `INSERT INTO account_link (token_hash, user_id, purpose, created_at, expires_at, payload_sealed)
     VALUES ($1, $2, 'reset', to_timestamp($3), to_timestamp($3 + 3600), $4)`,
    [link, user!.id, START - 60, secrets.seal('account link', `account link/${link.toString('hex')}`, 'payload')],
  );
}

interface Copy {
  sealed: string;
  boundTo: string;
  hash: Buffer | null;
}

function copies({ table, column, boundTo, hash }: SealedColumn): Promise<Copy[]> {
  return query(
    `SELECT ${column} AS sealed, ${boundTo} AS "boundTo", ${hash?.column ?? 'NULL'} AS hash FROM ${table}
     WHERE ${column} IS NOT NULL`,
  );
}

/** Returns the texts of all sealed columns, and the ids of the keys they are sealed with. */
async function opened(secrets: Secrets): Promise<{ texts: string[]; keyIds: (string | undefined)[] }> {
  const found = (
    await Promise.all(
      SEALED_COLUMNS.map(async (column) =>
        (await copies(column)).map(({ sealed, boundTo }) => ({
          text: secrets.open(column.purpose, boundTo, sealed),
          keyId: keyIdOf(sealed),
        })),
      ),
    )
  ).flat();
  return { texts: found.map(({ text }) => text), keyIds: [...new Set(found.map(({ keyId }) => keyId))] };
}

const TEXTS = ['pl_text', 'xoxb', 'https://chat', 'mail', 'payload'];

describe('SEALED_COLUMNS', () => {
  it('contains every column named sealed', async () => {
    const columns = await query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name ~ '(^|_)sealed$' ORDER BY 1`,
    );
    expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(
      columns.map(({ name }) => name),
    );
  });

  it('contains every purpose for which the code seals something', async () => {
    const files = (await readdir(SERVER, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('spec.ts') && !file.startsWith('common/secrets/'),
    );
    const calls: string[] = [];
    for (const file of files) {
      const source = await readFile(join(SERVER, file), 'utf8');
      for (const [, argument = ''] of source.matchAll(/ecrets\.seal\(\s*([^,]+),/g)) {
        const literal = /^'(.*)'$/.exec(argument)?.[1];
        const purpose = literal ?? new RegExp(`const ${argument} = '(.*)'`).exec(source)?.[1];
        // The rotation itself takes its purposes from the list.
        if (file !== 'platform/keys/key-rotation.service.ts') calls.push(purpose ?? `${file}: ${argument}`);
      }
    }
    const known = SEALED_COLUMNS.map(({ purpose }) => purpose);
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.filter((purpose) => !known.includes(purpose))).toEqual([]);
  });
});

describe('KeyRegisterService', () => {
  it('admits the first key, and again on the next start', async () => {
    const { register, secrets } = await aProcess();
    await register.admit();
    clock.seconds += 60;
    await (await aProcess()).register.admit();
    const rows = await query(`SELECT id, extract(epoch FROM used_from)::integer AS at FROM secret_key`);
    expect(rows).toEqual([{ id: secrets.ring.currentAt(0).id, at: START }]);
    expect(await query('SELECT FROM audit_entry')).toEqual([]);
  });

  it('rejects another key with instructions, and names keys only by id', async () => {
    const [first, second] = [SecretKey.generate(), SecretKey.generate()];
    await (await aProcess({ secretKey: first.exportText() })).register.admit();
    const refusal = (await aProcess({ secretKey: second.exportText() })).register.admit();
    await expect(refusal).rejects.toThrow(WrongSecretKeyError);
    const { message } = (await refusal.catch((error: unknown) => error)) as Error;
    expect(message).toMatch(new RegExp(`PLUMBLINE_SECRET_KEY has the key ${second.id}; .* key ${first.id} `));
    expect(message).toContain('plumbline key rotate');
    expect(message).not.toContain(first.exportText());
    expect(message).not.toContain(second.exportText());
    // The rejected key is not stored.
    await (await aProcess({ secretKey: first.exportText() })).register.admit();
  });

  it('admits a new key together with the previous one, and writes an audit entry', async () => {
    const [first, second] = [SecretKey.generate(), SecretKey.generate()];
    await (await aProcess({ secretKey: first.exportText() })).register.admit();
    clock.seconds += 60;
    const both = { secretKey: second.exportText(), previousSecretKeys: [first.exportText()] };
    await (await aProcess(both)).register.admit();
    expect(await query('SELECT action, actor_type, changes FROM audit_entry')).toEqual([
      {
        action: 'key.rotate',
        actor_type: 'system',
        changes: [{ field: 'key_id', before: first.id, after: second.id }],
      },
    ]);
    // A process without the new key could not verify sessions.
    await expect((await aProcess({ secretKey: first.exportText() })).register.admit()).rejects.toThrow(
      WrongSecretKeyError,
    );
  });
});

describe('KeyRotationService', () => {
  it('generates a key that is used after a delay, and re-seals everything with it', async () => {
    const { register, rotation, secrets } = await aProcess();
    await register.admit();
    await fill(secrets);
    const running = await aProcess();
    const old = secrets.ring.currentAt(0);
    const logLines: string[] = [];
    const rotated = await rotation.rotate(surroundings(logLines));
    expect(rotated).toEqual({ keyId: expect.any(String) as string, moved: 5, unreadable: 0, left: 0 });
    expect(rotated.keyId).not.toBe(old.id);
    expect(clock.seconds).toBe(START + 10);
    expect(logLines).toContain('token.sealed: 1 moved');
    const after = await aProcess();
    expect(await opened(after.secrets)).toEqual({ texts: TEXTS, keyIds: [rotated.keyId] });
    const [token] = await copies(SEALED_COLUMNS[0]!);
    expect(token!.hash).toEqual(after.secrets.keyedHash('token', 'pl_text'));
    expect(token!.hash).not.toEqual(running.secrets.keyedHash('token', 'pl_text'));
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
    expect((await query<{ action: string }>('SELECT action FROM audit_entry')).map(({ action }) => action)).toEqual([
      'key.rotate',
    ]);
    await after.register.admit();
  });

  it('re-seals many rows, including those sealed with the previous key during the rotation', async () => {
    const { register, rotation, secrets } = await aProcess();
    await register.admit();
    const add = async (name: string) => {
      const sealed = secrets.seal('token', `org/${String(orgId)}`, name);
      await query(
        `INSERT INTO token (org_id, hash, sealed, name, permissions, created_at) VALUES ($1, $2, $3, '', 1, now())`,
        [orgId, secrets.keyedHash('token', name), sealed],
      );
    };
    for (let i = 0; i < 450; i++) await add(`pl_${String(i)}`);
    const { log } = surroundings();
    const rotated = await rotation.rotate({
      log,
      pause: async (seconds) => {
        await add('late');
        clock.seconds += Math.ceil(seconds);
      },
    });
    expect(rotated).toMatchObject({ moved: 451, unreadable: 0, left: 0 });
  });

  it('continues an interrupted rotation instead of generating another key', async () => {
    const { register, rotation, secrets } = await aProcess();
    await register.admit();
    await fill(secrets);
    const interrupted = rotation.rotate({ ...surroundings(), pause: () => Promise.reject(new Error('killed')) });
    await expect(interrupted).rejects.toThrow('killed');
    const next = await aProcess();
    await next.register.admit();
    const [created] = next.secrets.ring.keys;
    expect((await next.rotation.status()).keys.map(({ state }) => state)).toEqual(['next', 'in use']);
    await expect(next.rotation.forgetPrevious(false)).rejects.toThrow(/key rotate/);
    expect(await next.rotation.rotate(surroundings())).toMatchObject({ keyId: created!.key.id, moved: 5 });
    expect((await aProcess()).secrets.ring.keys).toHaveLength(2);
  });

  it('keeps texts that no key can open, and counts them', async () => {
    const { register, rotation, secrets } = await aProcess();
    await register.admit();
    await fill(secrets);
    const strange = new Secrets(SecretKey.generate()).seal('chat-api-token', `org/${String(orgId)}`, 'lost');
    await query('UPDATE org SET chat_api_token_sealed = $1', [strange]);
    expect(await rotation.rotate(surroundings())).toMatchObject({ moved: 4, unreadable: 1, left: 0 });
    expect(await query('SELECT chat_api_token_sealed AS sealed FROM org')).toEqual([{ sealed: strange }]);
    // The next rotation starts from the beginning.
    expect(await rotation.rotate(surroundings())).toMatchObject({ moved: 4, unreadable: 1, left: 0 });
  });

  it('rotates to the key of the environment', async () => {
    const [first, second] = [SecretKey.generate(), SecretKey.generate()];
    const before = await aProcess({ secretKey: first.exportText() });
    await before.register.admit();
    await fill(before.secrets);
    const both = await aProcess({ secretKey: second.exportText(), previousSecretKeys: [first.exportText()] });
    expect(await both.rotation.rotate(surroundings())).toEqual({
      keyId: second.id,
      moved: 5,
      unreadable: 0,
      left: 0,
    });
    expect(await opened(both.secrets)).toEqual({ texts: TEXTS, keyIds: [second.id] });
    expect(await both.rotation.rotate(surroundings())).toMatchObject({ moved: 0 });
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects a concurrent rotation', async () => {
    const { register, rotation } = await aProcess();
    await register.admit();
    const other = await aProcess();
    let second: unknown;
    await rotation.rotate({
      ...surroundings(),
      pause: async (seconds) => {
        clock.seconds += Math.ceil(seconds);
        second = await other.rotation.rotate(surroundings()).catch((error: unknown) => error);
      },
    });
    expect(second).toBeInstanceOf(RotationRunningError);
  });

  describe('forgetPrevious', () => {
    it('is refused while mailed links need the previous key, unless forced', async () => {
      const { register, rotation, secrets } = await aProcess();
      await register.admit();
      await fill(secrets);
      await rotation.rotate(surroundings());
      const refusal = rotation.forgetPrevious(false);
      await expect(refusal).rejects.toThrow(KeyInUseError);
      await expect(refusal).rejects.toThrow(/1 mailed links, links to graphs/);
      const { keys } = await rotation.forgetPrevious(true);
      expect(keys.map(({ state, sealed }) => [state, sealed])).toEqual([
        ['in use', 5],
        ['previous', 0],
      ]);
      const after = await aProcess();
      expect(after.secrets.ring.keys).toHaveLength(1);
      await after.register.admit();
      expect((await after.rotation.status()).keys).toHaveLength(1);
      expect((await opened(after.secrets)).texts).toEqual(TEXTS);
    });

    it('succeeds when nothing needs the previous key any more', async () => {
      const { register, rotation, secrets } = await aProcess();
      await register.admit();
      await fill(secrets);
      await rotation.rotate(surroundings());
      clock.seconds += 31 * 86_400;
      await rotation.forgetPrevious(false);
      expect((await aProcess()).secrets.ring.keys).toHaveLength(1);
    });

    it('is refused while a text is sealed with the previous key', async () => {
      const { register, rotation, secrets } = await aProcess();
      await register.admit();
      await rotation.rotate(surroundings());
      const [, previous] = secrets.ring.keys;
      const old = new Secrets(previous!.key);
      await query('UPDATE org SET chat_api_token_sealed = $1', [
        old.seal('chat-api-token', `org/${String(orgId)}`, 'x'),
      ]);
      clock.seconds += 31 * 86_400;
      await expect(rotation.forgetPrevious(false)).rejects.toThrow(/key rotate/);
    });

    it('lets an installation that has lost its key start again, if forced', async () => {
      await (await aProcess({ secretKey: SecretKey.generate().exportText() })).register.admit();
      const lost = await aProcess({ secretKey: SecretKey.generate().exportText() });
      await expect(lost.rotation.rotate(surroundings())).rejects.toThrow(WrongSecretKeyError);
      await expect(lost.rotation.forgetPrevious(false)).rejects.toThrow(/Use --force if the key is lost/);
      await lost.rotation.forgetPrevious(true);
      await lost.register.admit();
    });
  });
});
