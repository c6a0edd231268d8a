import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Permission } from '#libs/contracts';
import { MetricApp } from '../../../../test/support/metric-app.js';
import { AdminAlertModule } from '../../../server/src/alerting/admin-alert/admin-alert.module.js';
import { ConfigDocumentModule } from '../../../server/src/views/config-document/config-document.module.js';
import { IntegrationModule } from '../../../server/src/alerting/integration/integration.module.js';
import { WatcherModule } from '../../../server/src/alerting/watcher/watcher.module.js';
import { TuningModule } from '../../../server/src/teaching/tuning/tuning.module.js';
import { UserService } from '../../../server/src/people/user/user.service.js';
import { runCli } from '../cli.js';
import { recordingTerminal } from '../testing/recording-terminal.js';

const GUIDE = resolve(import.meta.dirname, '../../../../docs/guide/configuration-in-git.md');
const VARIABLES = {
  PAGERDUTY_ROUTING_KEY: '0123456789abcdef0123456789abcdef',
  WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 'a').toString('base64')}`,
  WATCHER_API_ERRORS_TEAMS_CHAT_WEBHOOK: 'https://example.org/workflows/1?sig=2',
  ONCALL: 'you@example.org',
};

let app: MetricApp;
let folder: string;
let url: string;

beforeAll(async () => {
  app = await MetricApp.create({ env: { PLUMBLINE_OUTGOING: 'any' } }, [
    AdminAlertModule,
    ConfigDocumentModule,
    IntegrationModule,
    TuningModule,
    WatcherModule,
  ]);
  await app.app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${String((app.app.getHttpServer().address() as AddressInfo).port)}`;
  folder = await mkdtemp(join(tmpdir(), 'plumbline-config-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => Object.assign(process.env, VARIABLES));
afterEach(() => {
  for (const name of Object.keys(VARIABLES)) Reflect.deleteProperty(process.env, name);
});

/** Creates an organisation with one user; returns its token. */
async function anOrg(): Promise<string> {
  const { id } = await app.anOrg();
  const user = await app.aUser(id, 'Ann');
  await app.get(UserService).update(id, user.id, { email: VARIABLES.ONCALL });
  return app.aToken(id, Permission.Read, Permission.Admin);
}

async function run(token: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { terminal, written } = recordingTerminal();
  const code = await runCli([...args, '--url', url, '--token', token], terminal);
  return { code, ...written };
}

/** Writes a file with the given text, or with all examples of the guide. */
async function aFile(name: string, text?: string): Promise<string> {
  const file = join(folder, name);
  const guide = [...(await readFile(GUIDE, 'utf8')).matchAll(/```yaml\n(.*?)```/gs)].map(([, example]) => example!);
  await writeFile(file, text ?? guide.slice(0, 2).join('---\n'));
  return file;
}

it('plumbline apply is idempotent for the examples of the guide, and for their export elsewhere', async () => {
  const one = await anOrg();
  const file = await aFile('guide.yaml');
  const dry = await run(one, 'apply', '-f', file, '--dry-run');
  expect([dry.err, dry.code]).toEqual(['', 0]);
  expect(dry.out).toMatch(/^6 created, 1 updated, 0 removed, 0 unchanged \(dry run: nothing was changed\)$/m);
  const first = await run(one, 'apply', '-f', file);
  expect(first.out).toBe(dry.out.replace(' (dry run: nothing was changed)', ''));
  for (const secret of [VARIABLES.PAGERDUTY_ROUTING_KEY, VARIABLES.WEBHOOK_SECRET, 'sig=2']) {
    expect(first.out).not.toContain(secret);
  }
  expect((await run(one, 'apply', '-f', file)).out).toBe('0 created, 0 updated, 0 removed, 7 unchanged\n');

  const { out: document } = await run(one, 'export');
  await app.database.dataSource.query('DELETE FROM user_account WHERE email = $1', [VARIABLES.ONCALL]);
  const other = await anOrg();
  const exported = await aFile('exported.yaml', document);
  expect((await run(other, 'apply', '-f', exported)).err).toBe('');
  expect((await run(other, 'export')).out).toBe(document);
  expect((await run(other, 'apply', '-f', exported)).out).toMatch(/^0 created, 0 updated, 0 removed, \d+ unchanged\n$/);
});

it('plumbline apply names file and line of a secret that the environment lacks', async () => {
  await app.database.dataSource.query('DELETE FROM user_account WHERE email = $1', [VARIABLES.ONCALL]);
  const token = await anOrg();
  await run(token, 'apply', '-f', await aFile('guide.yaml'));
  const file = await aFile('exported.yaml', (await run(token, 'export')).out);
  Reflect.deleteProperty(process.env, 'WEBHOOK_SECRET');
  const { code, err } = await run(token, 'apply', '-f', file);
  const lines = (await readFile(file, 'utf8')).split('\n');
  const line = lines.indexOf('secret: ${WEBHOOK_SECRET}') + 1;
  expect([code, err]).toEqual([2, `plumbline: ${file}:${String(line)}: the environment has no WEBHOOK_SECRET\n`]);
});

it('plumbline apply names file and line of a document that the service rejects, and changes nothing', async () => {
  const token = await anOrgWithoutUser();
  const file = await aFile(
    'wrong.yaml',
    'kind: tuning\nname: web\nchips: [web]\n---\nkind: watcher\nchips: [a]\nwebhook: true\n',
  );
  const { code, err } = await run(token, 'apply', '-f', file);
  expect([code, err]).toEqual([2, `plumbline: ${file}:7: webhook needs the integration webhook\n`]);
  expect((await run(token, 'export')).out).not.toContain('kind: tuning');
});

async function anOrgWithoutUser(): Promise<string> {
  return app.aToken((await app.anOrg()).id, Permission.Read, Permission.Admin);
}
