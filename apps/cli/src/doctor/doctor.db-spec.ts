import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../scripts/free-port.mjs';
import { Installation } from '../../../../test/support/cli-installation.js';
import { externalPostgres } from '../../../../test/support/external-postgres.js';
import { Mailbox, TLS_CERTIFICATE_FILE } from '../../../../test/support/mailbox.js';
import { type Finding } from './finding.js';
import { runDoctor } from './run-doctor.js';

let installation: Installation;
let ports: { PORT: string; MANAGEMENT_PORT: string };

beforeEach(async () => {
  installation = await Installation.create();
  ports = { PORT: String(await freePort()), MANAGEMENT_PORT: String(await freePort()) };
});
afterEach(() => installation.close());

/** The findings with these settings in addition to those of the installation. */
function examine(
  env: Record<string, string | undefined> = {},
  more: Omit<Parameters<typeof runDoctor>[0], 'env'> = {},
): Promise<Finding[]> {
  return runDoctor({ env: { ...ofTheProduct(process.env), ...ports, ...env }, ...more });
}

/** Removes variables that the test run had before the installation. */
const ofTheProduct = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => ofTheRun.get(name) !== value));

const ofTheRun = new Map(Object.entries(process.env).filter(([name]) => name.startsWith('PLUMBLINE_')));

const notOk = (findings: readonly Finding[]): [string, string, string][] =>
  findings.filter(({ state }) => state !== 'ok').map(({ check, state, message }) => [check, state, message]);

const about = (findings: readonly Finding[], check: string): Finding[] =>
  findings.filter((finding) => finding.check === check);

async function servedBy(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

describe('plumbline doctor', () => {
  it('has no advice for a healthy installation that is stopped', async () => {
    const findings = await examine();
    expect(notOk(findings)).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      ...['settings', 'product', 'management port', 'database', 'connections', 'migrations', 'clock', 'point log'],
      ...['series store', 'learnt state', 'disk', 'secret key', 'mail', 'port', 'public address'],
    ]);
    expect(findings.every(({ advice }) => advice === null)).toBe(true);
  });

  it('prints a line for each check, exits with code 1 when one failed, and reports the same as JSON', async () => {
    Object.assign(process.env, ports, {
      PLUMBLINE_TYPO: 'x',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: '1',
      MAIL_FROM: 'a@b.example',
    });
    const { code, out, err } = await installation.run(['doctor']);
    expect({ code, err }).toEqual({ code: 1, err: 'plumbline: 1 check failed\n' });
    expect(out).toMatch(
      /^warning {2}settings {9}PLUMBLINE_TYPO is not a known setting and has no effect\n {26}-> Correct/m,
    );
    expect(out).toMatch(/^ok {7}clock {12}agrees with that of the database$/m);
    expect(out).toMatch(
      /^failed {3}mail {13}127\.0\.0\.1:1 does not accept mail: .*ECONNREFUSED.*\n +-> Correct SMTP_HOST/m,
    );
    const json = await installation.run(['doctor', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({
      state: 'failed',
      checks: expect.arrayContaining([expect.objectContaining({ check: 'mail', state: 'failed' })]) as unknown,
    });
    delete process.env.SMTP_HOST;
    delete process.env.MAIL_FROM;
    delete process.env.SMTP_PORT;
    expect((await installation.run(['doctor'])).code).toBe(0);
  });

  describe('settings', () => {
    it('reports each invalid setting as a failure, without the value of a secret', async () => {
      const findings = await examine({ PORT: 'x', PLUMBLINE_SECRET_KEY: 'hunter2' });
      expect(findings.map(({ state }) => state)).toEqual(['failed', 'failed']);
      expect(findings.map(({ message }) => message)).toEqual([
        'PORT: "x" must be a whole number 0..65535',
        expect.stringMatching(/^PLUMBLINE_SECRET_KEY: the value must be /),
      ]);
      expect(JSON.stringify(findings)).not.toContain('hunter2');
    });

    it('warns about settings that are unknown, have no effect or contradict each other', async () => {
      const found = await examine({
        PLUMBLINE_TYPO: 'x',
        SMTP_PASSWORD: 'hunter2',
        SMTP_USERNAME: 'me',
        PUBLIC_URL: 'http://plumbline.example',
        PLUMBLINE_ROLES: 'api',
      });
      expect(notOk(about(found, 'settings')).map(([, , message]) => message)).toEqual([
        'PLUMBLINE_TYPO is not a known setting and has no effect',
        'SMTP_USERNAME, SMTP_PASSWORD have no effect without SMTP_HOST',
        'PUBLIC_URL http://plumbline.example is not encrypted: passwords and tokens can be read in transit',
        'PLUMBLINE_ROLES (api) leaves work to other processes, and the secret key is a file',
      ]);
      expect(JSON.stringify(found)).not.toContain('hunter2');
    });
  });

  describe('the database', () => {
    it.each([
      ['no server', (url: URL) => (url.port = '1'), /cannot be used/, /^Start PostgreSQL/],
      [
        'another password',
        (url: URL) => (url.password = 'hunter2'),
        /password authentication/,
        /^Correct user and password/,
      ],
      ['another name', (url: URL) => (url.pathname = '/nowhere'), /"nowhere" does not exist/, /^Create the database/],
    ])('fails with %s', async (_, change, message, advice) => {
      const url = new URL(installation.database.url);
      change(url);
      const findings = await examine({ DATABASE_URL: url.href });
      expect(about(findings, 'database')).toMatchObject([
        {
          state: 'failed',
          message: expect.stringMatching(message) as string,
          advice: expect.stringMatching(advice) as string,
        },
      ]);
      expect(JSON.stringify(findings)).not.toContain('hunter2');
      // Checks that do not need the database still run.
      expect(about(findings, 'mail')).toHaveLength(1);
    });

    it('warns when few connections are free, and fails the checks of a database without tables', async () => {
      const server = await externalPostgres(undefined, {
        max_connections: '12',
        superuser_reserved_connections: '1',
        reserved_connections: '0',
        max_wal_senders: '0',
      });
      try {
        const findings = await examine({ DATABASE_URL: server.url });
        expect(about(findings, 'connections')).toMatchObject([
          {
            state: 'warning',
            message: expect.stringMatching(/^1\d of 11 .* are free; a process takes up to 24$/) as string,
          },
        ]);
        expect(about(findings, 'migrations')).toMatchObject([
          { state: 'warning', message: expect.stringMatching(/^\d+ to run: FirstSchema/) as string },
        ]);
        expect(about(findings, 'point log')).toMatchObject([{ state: 'failed' }]);
        expect(about(findings, 'series store')).toMatchObject([
          { state: 'failed', advice: expect.stringContaining('plumbline migrate') as string },
        ]);
      } finally {
        await server.dispose();
      }
    });

    it('warns about migrations of a newer version, and fails for those of a development version', async () => {
      await installation.query(`INSERT INTO migrations (timestamp, name) VALUES (9, 'FromTheFuture9')`);
      expect(about(await examine(), 'migrations')).toMatchObject([
        { state: 'warning', message: expect.stringContaining('FromTheFuture9') as string },
      ]);
      await installation.query(`DELETE FROM migrations`);
      await installation.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Ancient1')`);
      expect(about(await examine(), 'migrations')).toMatchObject([
        { state: 'failed', message: 'the database was created by a development version' },
      ]);
    });

    it('warns when no embedded database exists, without creating it, and when DATABASE_URL overrides one', async () => {
      expect(about(await examine({ DATABASE_URL: '' }), 'database')).toMatchObject([
        { state: 'warning', message: expect.stringContaining('there is none in the data folder') as string },
      ]);
      await mkdir(join(installation.dataFolder, 'postgres'));
      expect(notOk(await examine())).toEqual([
        ['database', 'warning', expect.stringMatching(/^DATABASE_URL is set, and the embedded database/)],
      ]);
    });
  });

  describe('clock, disk and engines', () => {
    const at = (seconds: number) => ({ now: () => Date.now() / 1000 + seconds });

    it.each([
      [5, 'warning', 'this machine is 5.0 s ahead of the database'],
      [-5, 'warning', 'this machine is 5.0 s behind the database'],
      [-90, 'failed', 'this machine is 90.0 s behind the database'],
    ])('reports a clock that is %d s off: %s', async (seconds, state, message) => {
      const [finding] = about(await examine({}, at(seconds)), 'clock');
      expect(finding!.state).toBe(state);
      // A busy machine answers some tenths of a second late.
      const figure = (text: string) => Math.round(Number(/[\d.]+/.exec(text)![0]));
      expect(figure(finding!.message)).toBe(figure(message));
      expect(finding!.message.replace(/[\d.]+/, '#')).toBe(message.replace(/[\d.]+/, '#'));
    });

    it('warns about points in the future', async () => {
      const org = await installation.anOrg('Example Ltd');
      await installation.query(
        `INSERT INTO metric (org_id, name, name_hash, display_name, type, aggregation, source, last_timestamp)
         VALUES ($1, 'a', sha256('a'), 'a', 'gauge', 'last', 'http', $2)`,
        [org, Math.round(Date.now() / 1000) + 7200],
      );
      expect(about(await examine(), 'clock')).toMatchObject([
        {
          state: 'warning',
          message: expect.stringMatching(/^the newest point is 1\d\d minutes in the future$/) as string,
        },
      ]);
    });

    it('warns when little disk space is free, and fails when hardly any is', async () => {
      const disk = async (bytes: number) =>
        about(await examine({}, { free: () => Promise.resolve(bytes) }), 'disk')[0]!;
      expect(await disk(50e9)).toMatchObject({ state: 'ok' });
      expect(await disk(1e9)).toMatchObject({
        state: 'warning',
        message: expect.stringMatching(/^1\.0 GB free/) as string,
      });
      expect(await disk(1e8)).toMatchObject({
        state: 'failed',
        advice: expect.stringContaining('retention') as string,
      });
    });

    it('warns about points that have waited long for detection', async () => {
      await installation.query(
        `INSERT INTO point_log_layout (partitions) SELECT 1 WHERE NOT EXISTS (SELECT FROM point_log_layout)`,
      );
      const columns = await installation.query<{ name: string; type: string }>(
        `SELECT column_name AS name, data_type AS type FROM information_schema.columns
         WHERE table_name = 'point_log' AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'`,
      );
      const values: Record<string, string> = {
        partition: '0',
        position: '1',
        points: '7',
        appended_at: String(Date.now() / 1000 - 7200),
      };
      const valueOf = ({ name, type }: { name: string; type: string }) =>
        values[name] ?? (type === 'bytea' ? `''` : '0');
      await installation.query(
        `INSERT INTO point_log (${columns.map(({ name }) => `"${name}"`).join(', ')}) VALUES (${columns.map(valueOf).join(', ')})`,
      );
      expect(about(await examine(), 'point log')).toMatchObject([
        { state: 'warning', message: '7 points wait for detection, the oldest for 120 minutes' },
      ]);
    });
  });

  describe('learnt state', () => {
    it('fails without DETECTION_STATE_URL for pages in NATS, and counts the pages of each store with it', async () => {
      await installation.query(
        `INSERT INTO detection_checkpoint_page ("partition", page, position, series, bytes, object)
         VALUES (0, 0, 1, 256, '', '0-1-abc'), (0, 1, 1, 100, '', NULL)`,
      );
      expect(about(await examine(), 'learnt state')).toMatchObject([
        {
          state: 'failed',
          message: '1 of 2 pages are in NATS JetStream, and DETECTION_STATE_URL is not set',
          advice: expect.stringContaining('move=postgresql') as string,
        },
      ]);
      const env = { DETECTION_STATE_URL: 'nats://ann:s3cret@127.0.0.1:1?bucket=b' };
      expect(about(await examine(env), 'learnt state')).toMatchObject([
        {
          state: 'ok',
          message: 'of 356 series is saved, 1 of 2 pages in NATS JetStream at 127.0.0.1:1, buckets b',
        },
      ]);
    });
  });

  describe('the secret key', () => {
    it('fails for a missing, wrong or damaged key file, and warns about one that others can read', async () => {
      await installation.done(['key', 'status']);
      const file = join(installation.dataFolder, 'secret.key');
      await installation.query(
        `INSERT INTO secret_key (id, check_value, used_from) VALUES ('0badc0de', sha256('x'), now())`,
      );
      await rm(file, { force: true });
      expect(about(await examine(), 'secret key')).toMatchObject([
        {
          state: 'failed',
          message: expect.stringMatching(/is missing; the database needs the key .*0badc0de/) as string,
        },
      ]);
      await writeFile(file, `${'ab'.repeat(32)}\n`, { mode: 0o600 });
      expect(about(await examine(), 'secret key')).toMatchObject([
        { state: 'failed', message: expect.stringMatching(/^the database needs the key .*0badc0de/) as string },
      ]);
      await writeFile(file, 'hunter2\n');
      const damaged = about(await examine(), 'secret key');
      expect(damaged).toMatchObject([
        { state: 'failed', message: expect.stringContaining('must contain 32 bytes') as string },
      ]);
      expect(JSON.stringify(damaged)).not.toContain('hunter2');
      await installation.query('DELETE FROM secret_key');
      await writeFile(file, `${'ab'.repeat(32)}\n`);
      await chmod(file, 0o644);
      expect(about(await examine(), 'secret key')).toMatchObject([
        { state: 'warning', advice: `Run chmod 600 ${file}` },
      ]);
    });
  });

  describe('mail', () => {
    const auth = { user: 'plumbline', pass: 'hunter2' };
    let mailbox: Mailbox | undefined;
    afterEach(() => mailbox?.close());

    const mail = async (env: Record<string, string>) => {
      const findings = await examine({
        MAIL_FROM: 'a@b.example',
        SMTP_HOST: 'localhost',
        SMTP_PORT: String(mailbox!.port),
        ...env,
      });
      expect(JSON.stringify(findings)).not.toMatch(/hunter[23]/);
      return about(findings, 'mail')[0]!;
    };

    it('checks the mail server up to the login, without sending a mail', async () => {
      mailbox = await Mailbox.start({ starttls: true, auth });
      const login = { SMTP_USERNAME: auth.user, SMTP_PASSWORD: auth.pass, SMTP_CA_FILE: TLS_CERTIFICATE_FILE };
      expect(await mail(login)).toMatchObject({
        state: 'ok',
        message: expect.stringContaining('encrypted by STARTTLS, logged in; no mail was sent') as string,
      });
      expect(await mail({ ...login, SMTP_PASSWORD: 'hunter3' })).toMatchObject({
        state: 'failed',
        advice: 'Correct SMTP_USERNAME and SMTP_PASSWORD',
      });
      expect(await mail({ ...login, SMTP_CA_FILE: '' })).toMatchObject({
        state: 'failed',
        advice: expect.stringContaining('SMTP_CA_FILE') as string,
      });
      expect(await mail({ ...login, SMTP_CA_FILE: '/nowhere' })).toMatchObject({
        state: 'failed',
        message: expect.stringContaining('/nowhere has no certificate') as string,
      });
      expect(mailbox.tries).toBe(0);
    });

    it('fails when the server does not encrypt', async () => {
      mailbox = await Mailbox.start();
      expect(await mail({})).toMatchObject({
        state: 'failed',
        advice: expect.stringContaining('SMTP_SECURITY') as string,
      });
      expect(await mail({ SMTP_SECURITY: 'none' })).toMatchObject({ state: 'ok' });
    });
  });

  describe('ports and addresses', () => {
    it('fails when another program uses a port', async () => {
      const other = createHttpServer((_, response) => response.end('hello'));
      const port = String(await servedBy(other));
      try {
        expect(notOk(await examine({ PORT: port }))).toEqual([
          ['port', 'failed', `${port} is used by another program`],
        ]);
        expect(notOk(await examine({ MANAGEMENT_PORT: port }))).toEqual([
          ['management port', 'failed', `${port} is used by another program`],
        ]);
      } finally {
        other.closeAllConnections();
        other.close();
      }
    });

    it('fails for an unready product, a port that is not served, and a wrong public address', async () => {
      const management = createHttpServer((_, response) =>
        response.end(
          JSON.stringify([
            { name: 'database', ok: false, message: 'gone' },
            { name: 'start', ok: true, message: null },
          ]),
        ),
      );
      const other = createHttpServer((_, response) => response.end('<html>'));
      const env = {
        MANAGEMENT_PORT: String(await servedBy(management)),
        PUBLIC_URL: `http://127.0.0.1:${await servedBy(other)}`,
      };
      try {
        expect(notOk(await examine(env))).toEqual([
          ['product', 'failed', 'database: gone'],
          ['port', 'failed', `${ports.PORT} is not served by the product`],
          ['public address', 'failed', `${env.PUBLIC_URL} (PUBLIC_URL) leads to something else`],
        ]);
        expect(notOk(await examine({ ...env, PUBLIC_URL: 'http://127.0.0.1:1' })).at(-1)).toEqual([
          ...['public address', 'warning', 'http://127.0.0.1:1 (PUBLIC_URL) cannot be reached from this machine'],
        ]);
      } finally {
        for (const server of [management, other]) {
          server.closeAllConnections();
          server.close();
        }
      }
    });

    it('fails for a data folder that cannot be written to', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'plumbline-doctor-'));
      const file = join(folder, 'file');
      await writeFile(file, '');
      await chmod(file, 0o400);
      // A file in place of the folder also stops root.
      const findings = await examine({ PLUMBLINE_DATA: join(file, 'data') });
      expect(about(findings, 'disk')).toMatchObject([
        { state: 'failed', message: expect.stringContaining('cannot be written to') as string },
      ]);
      await rm(folder, { recursive: true });
    });
  });
});
