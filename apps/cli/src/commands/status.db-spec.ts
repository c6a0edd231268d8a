import { jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { ManagementServer } from '../../../server/src/common/telemetry/management-server.js';
import { ReadinessRegistry } from '../../../server/src/common/telemetry/readiness.js';
import { InstallationSummaryService } from '../../../server/src/views/misc/installation-summary.service.js';
import { WholeApp } from '../../../../test/support/whole-app.js';
import { runCli } from '../cli.js';
import { recordingTerminal } from '../testing/recording-terminal.js';

const surroundings = process.env;
let product: WholeApp;
/** The reason with which a readiness check fails; empty while it passes. */
let trouble = '';

beforeAll(async () => {
  product = await WholeApp.create({ env: { MANAGEMENT_PORT: '0' } });
  product.get(ReadinessRegistry).register('kettle', () => {
    if (trouble !== '') throw new Error(trouble);
  });
  const { id } = await product.anOrg('Example Ltd');
  await product.query(
    `INSERT INTO metric (org_id, name, name_hash, display_name, type, aggregation, source, last_timestamp)
     VALUES ($1, 'a', sha256('a'), 'a', 'gauge', 'last', 'http', 1760000040)`,
    [id],
  );
  const port = await product.get(ManagementServer).listen();
  process.env = { ...surroundings, MANAGEMENT_PORT: String(port) };
});
afterAll(async () => {
  process.env = surroundings;
  await product.close();
});

async function status(...options: string[]): Promise<{ code: number; out: string; err: string }> {
  const { terminal, written } = recordingTerminal('');
  return { code: await runCli(['status', ...options], terminal), ...written };
}

describe('plumbline status', () => {
  it('prints the state of the product, and exits with code 0 when all parts are well', async () => {
    const { code, out } = await status();
    expect(out).toMatch(/^Plumbline +well\n/);
    expect(out).toMatch(/^Running for +\d+ (s|min)$/m);
    expect(out).toMatch(/^Backlog +0 points, 0 s behind$/m);
    expect(out).toMatch(/^Last point +2025-10-09T08:54:00Z, \d+ d ago$/m);
    expect(out).toMatch(/^Metrics +1 in 1 organisation$/m);
    expect(out).toMatch(/^Open anomalies +0$/m);
    expect(out).toMatch(/^Mail +no mail server \(SMTP_HOST\)$/m);
    expect(out).toMatch(/^Alerts +none waiting$/m);
    expect(out).toMatch(/^Database +\d+ MB$/m);
    expect(code).toBe(0);
  });

  it('prints the same state as JSON', async () => {
    const { out } = await status('--json');
    expect(JSON.parse(out)).toMatchObject({
      state: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      uptime_seconds: expect.any(Number),
      checks: expect.arrayContaining([{ name: 'database', ok: true, message: null }]),
      backlog_points: 0,
      lag_seconds: 0,
      last_point_timestamp: 1_760_000_040,
      last_point_age_seconds: expect.any(Number),
      open_anomalies: 0,
      organisations: 1,
      metrics: 1,
      database_bytes: expect.any(Number),
      mail_configured: false,
      mails_waiting: 0,
      oldest_mail_age_seconds: null,
      alerts_waiting: 0,
      oldest_alert_age_seconds: null,
      alerts_given_up: 0,
    });
  });

  it('exits with code 1 and names the part that fails and the reason', async () => {
    trouble = 'the kettle is cold';
    const { code, out } = await status();
    trouble = '';
    expect(code).toBe(1);
    expect(out).toMatch(/^Plumbline +degraded$/m);
    expect(out).toMatch(/^Not well: kettle +the kettle is cold$/m);
  });

  it('exits with code 1 and prints the reason when the product cannot query its database', async () => {
    jest
      .spyOn(product.get(InstallationSummaryService), 'read')
      .mockRejectedValueOnce(new Error('the connection is gone'));
    const { code, out, err } = await status();
    expect(code).toBe(1);
    expect(out).toMatch(/^Database +cannot be asked$/m);
    expect(err).toContain('The product cannot ask its database: the connection is gone');
  });

  it('exits with code 2 when another program answers or a setting is wrong', async () => {
    const port = process.env.MANAGEMENT_PORT;
    const other: Server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    process.env.MANAGEMENT_PORT = String((other.address() as AddressInfo).port);
    expect(await status()).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('is not Plumbline: set MANAGEMENT_PORT'),
    });
    other.closeAllConnections();
    other.close();
    process.env.MANAGEMENT_PORT = 'x';
    expect(await status()).toMatchObject({ code: 2, err: expect.stringContaining('MANAGEMENT_PORT') });
    process.env.MANAGEMENT_PORT = port;
  });

  it('exits with code 3 when no product is running', async () => {
    const port = process.env.MANAGEMENT_PORT;
    process.env.MANAGEMENT_PORT = '2';
    expect(await status()).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('Plumbline is not running: nothing answers at http://127.0.0.1:2/readyz'),
    });
    process.env.MANAGEMENT_PORT = port;
  });
});
