import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../scripts/free-port.mjs';
import { ADMIN, type Product, startProduct } from '../support/product.js';
import { startProgram } from '../support/programs.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** Secret settings, each with a unique text. */
const SECRET_SETTINGS = {
  PLUMBLINE_SECRET_KEY: Buffer.alloc(32, 'planted!').toString('base64'),
  PLUMBLINE_SECRET_KEY_PREVIOUS: Buffer.alloc(32, 'earlier!').toString('base64'),
  SMTP_PASSWORD: 'planted mail "password"',
  OIDC_CLIENT_SECRET: 'planted-oidc-client-secret',
};

/** These settings are invalid without plans. */
const BILLING_SECRETS = {
  STRIPE_SECRET_KEY: 'sk_test_plantedstripekey0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_plantedstripehook0123456789',
};

describe('diagnostics of a running product', () => {
  let root: string;
  let product: Product;
  let env: Record<string, string>;
  /** Texts that no file may contain. */
  const secrets: string[] = [...Object.values(SECRET_SETTINGS), ADMIN.PLUMBLINE_ADMIN_PASSWORD];

  /** Secrets sealed in the database. The command does not read them, and no collected file may contain them. */
  const stored: string[] = [];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'plumbline-support-'));
    const mail = {
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(await freePort()),
      SMTP_USERNAME: 'me',
      MAIL_FROM: 'a@b.example',
    };
    env = { ...SECRET_SETTINGS, ...mail, OUTGOING_PRIVATE_ADDRESSES: 'on' };
    // With a mail server a login would require a code.
    product = await startProduct({ ...env, SMTP_HOST: '', MAIL_FROM: '', SMTP_USERNAME: '', SMTP_PASSWORD: '' });
    const token = await product.createToken(['read', 'write', 'admin', 'ingest']);
    secrets.push(token, await product.createToken(['ingest']));
    const { data } = await login();
    secrets.push(data.session.id);
    await call('PUT', '/integration/pagerduty/orgproperties', data.session.id, {
      routing_key: 'PlantedRoutingKey000000000000001',
    });
    stored.push('PlantedRoutingKey000000000000001');
    const source = {
      ...{ name: 'planted', type: 'sql', url: 'postgres://127.0.0.1:1/nowhere', query: 'SELECT 1' },
      ...{ username: 'reader', password: 'planted source password' },
    };
    await fetch(`${product.url}/api/source`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session-Id': data.session.id },
      body: JSON.stringify(source),
    });
    stored.push('planted source password');
    for (const file of ['url', 'superuser-url']) {
      secrets.push(new URL((await readFile(join(product.dataFolder, 'postgres', file), 'utf8')).trim()).password);
    }
  }, 150_000);

  afterAll(async () => {
    await product.dispose();
    await rm(root, { recursive: true, force: true });
  });

  async function login(): Promise<{ data: { session: { id: string } } }> {
    const answer = await fetch(`${product.url}/api/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: ADMIN.PLUMBLINE_ADMIN_EMAIL, password: ADMIN.PLUMBLINE_ADMIN_PASSWORD }),
    });
    return (await answer.json()) as { data: { session: { id: string } } };
  }

  async function call(method: string, path: string, session: string, body: object): Promise<void> {
    const answer = await fetch(`${product.url}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Session-Id': session },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }

  async function plumbline(args: string[], more: Record<string, string | undefined> = {}) {
    const ports = { PORT: new URL(product.url).port, MANAGEMENT_PORT: new URL(product.managementUrl).port };
    const child = startProgram(process.execPath, [join(ROOT, 'dist/apps/cli/src/main.js'), ...args], {
      cwd: root,
      env: {
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PLUMBLINE_TEST_'))),
        ...{
          NODE_OPTIONS: '',
          PUBLIC_URL: product.url,
          PLUMBLINE_DATA: product.dataFolder,
          ...ADMIN,
          ...ports,
          ...env,
          ...more,
        },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }

  /** Files of an archive, extracted with the system's tar. */
  async function filesOf(archive: string): Promise<Map<string, string>> {
    const folder = await mkdtemp(join(root, 'unpacked-'));
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
    const names = (await readdir(folder)).sort();
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
    );
  }

  it('doctor reports the running product and its failures', async () => {
    const { code, out } = await plumbline(['doctor']);
    expect(out).toMatch(/^ok {7}product {10}is running and ready$/m);
    expect(out).toMatch(/^ok {7}port {13}\d+ is served by the product$/m);
    expect(out).toMatch(/^ok {7}public address {3}\S+ leads to the product$/m);
    expect(out).toMatch(/^ok {7}database {9}PostgreSQL 18\.\d+ \(embedded\)/m);
    expect(out).toMatch(/^failed {3}mail /m);
    expect(out).toMatch(/^warning {2}settings {9}OIDC_CLIENT_SECRET has no effect without OIDC_ISSUER$/m);
    expect(code).toBe(1);
  });

  it('support-bundle contains all diagnostic files, and no secret', async () => {
    const log = join(root, 'product.log');
    const lines = secrets.map((secret) => `{"msg":${JSON.stringify(`a careless line with ${secret} in it`)}}`);
    const foreign = [
      'GET https://user:planted-url-password@host/',
      'Authorization: Bearer planted.bearer.token',
      '{"api_key":"planted-api-key"}',
      ...stored.map((secret) => JSON.stringify({ routing_key: secret })),
      ...stored.map((secret) => JSON.stringify({ password: secret })),
      'postgres://a:planted-dsn-password@db/x',
    ];
    await writeFile(log, `${[product.output(), ...lines, ...foreign].join('\n')}\nthe last line\n`);
    const created = await plumbline(['support-bundle', '--log', log]);
    expect(created).toMatchObject({ code: 0, err: expect.stringContaining('without secrets') as string });
    const archive = join(root, created.out.trim());
    expect((await stat(archive)).mode & 0o777).toBe(0o600);

    const files = await filesOf(archive);
    expect([...files.keys()]).toEqual([
      ...['about.json', 'activity.json', 'doctor.json', 'log.txt', 'metrics.txt', 'migrations.json', 'postgres.log'],
      ...['readyz.json', 'settings.json', 'summary.json', 'tables.json'],
    ]);
    for (const [name, content] of files) {
      for (const secret of [...secrets, ...stored]) {
        for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
          expect([name, content.includes(form) ? form : '']).toEqual([name, '']);
        }
      }
      expect([name, /planted-\w+|planted\.bearer/.exec(content)?.[0]]).toEqual([name, undefined]);
    }
    expect(files.get('log.txt')).toMatch(/a careless line with .*hidden.* in it[^]*\nthe last line\n$/);
    expect(JSON.parse(files.get('settings.json')!)).toMatchObject({
      SMTP_PASSWORD: '[hidden]',
      SMTP_HOST: '127.0.0.1',
    });
    expect(files.get('metrics.txt')).toContain('plumbline_detection_backlog_points');
    expect(JSON.parse(files.get('doctor.json')!)).toMatchObject({ state: 'failed' });
    expect(JSON.parse(files.get('about.json')!)).toMatchObject({
      version: expect.stringMatching(/^\d/) as string,
      left_out: [{ file: 'slow-statements.json', reason: 'the extension pg_stat_statements is not installed' }],
    });
    const tables = JSON.parse(files.get('tables.json')!) as { name: string; bytes: number }[];
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['org', 'metric', 'source', 'token']));

    expect(await plumbline(['support-bundle', archive])).toMatchObject({
      code: 2,
      err: expect.stringContaining('exists already') as string,
    });
  });

  it('support-bundle works without a database or with a wrong setting, and hides the database password', async () => {
    const away = join(root, 'away.tar.gz');
    const url = 'postgres://plumbline:planted-database-password@127.0.0.1:1/plumbline';
    expect(await plumbline(['support-bundle', away], { DATABASE_URL: url })).toMatchObject({ code: 0 });
    const files = await filesOf(away);
    expect([...files.values()].join('\n')).not.toContain('planted-database-password');
    expect(files.get('doctor.json')).toMatch(/ECONNREFUSED|cannot be used/);

    const wrong = join(root, 'wrong.tar.gz');
    expect(await plumbline(['support-bundle', wrong], { ...BILLING_SECRETS, PORT: 'x' })).toMatchObject({ code: 0 });
    const ofWrong = await filesOf(wrong);
    expect(ofWrong.get('doctor.json')).toContain('must be a whole number');
    for (const secret of Object.values(BILLING_SECRETS)) expect([...ofWrong.values()].join('\n')).not.toContain(secret);
  });
});
