import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Installation } from '../../../../test/support/cli-installation.js';

let installation: Installation;
let management: Server;
let readyz: string;

const CHECKS = [
  { name: 'database', ok: true, message: null, duration_seconds: 0 },
  { name: 'detection', ok: true, message: null, duration_seconds: 0 },
];

beforeAll(async () => {
  installation = await Installation.create();
  management = createServer((_, response) => response.end(readyz)).listen(0, '127.0.0.1');
  await once(management, 'listening');
  const orgId = await installation.anOrg('Example Ltd');
  await installation.query(
    `INSERT INTO metric (org_id, name, name_hash, display_name, type, aggregation, source, last_timestamp)
     VALUES ($1, 'a', sha256('a'), 'a', 'gauge', 'last', 'http', 1760000040)`,
    [orgId],
  );
});
afterAll(async () => {
  management.close();
  await installation.close();
});
beforeEach(() => {
  process.env.MANAGEMENT_PORT = String((management.address() as AddressInfo).port);
  // No API is served there.
  process.env.PORT = '1';
  readyz = JSON.stringify(CHECKS);
});

describe('plumbline status', () => {
  it('shows how the product is, and ends with 0 when all is well', async () => {
    const { out } = await installation.done(['status']);
    expect(out).toMatch(/^Plumbline +well\n/);
    expect(out).toMatch(/^Backlog +0 points, 0 s behind$/m);
    expect(out).toMatch(/^Last point +2025-10-09T08:54:00Z, \d+ d ago$/m);
    expect(out).toMatch(/^Metrics +1 in 1 organisation$/m);
    expect(out).toMatch(/^Open anomalies +0$/m);
    expect(out).toMatch(/^Mail +no mail server \(SMTP_HOST\)$/m);
    expect(out).toMatch(/^Database +\d+ MB$/m);
    expect(out).toMatch(/^Disk +.+ free of .+ \(/m);
  });

  it('says the same as JSON', async () => {
    const { out } = await installation.done(['status', '--json']);
    expect(JSON.parse(out)).toEqual({
      state: 'ok',
      version: null,
      uptime_seconds: null,
      checks: CHECKS.map(({ name, ok, message }) => ({ name, ok, message })),
      backlog_points: 0,
      lag_seconds: 0,
      last_point_timestamp: 1_760_000_040,
      open_anomalies: 0,
      organisations: 1,
      metrics: 1,
      database_bytes: expect.any(Number),
      disk_free_bytes: expect.any(Number),
      disk_size_bytes: expect.any(Number),
      mail_configured: false,
      mails_waiting: 0,
      oldest_mail_age_seconds: null,
    });
  });

  it('ends with 1 when a part is not well, and says which and why', async () => {
    readyz = JSON.stringify([{ ...CHECKS[1], ok: false, message: 'detection is 400 s behind' }]);
    const { code, out } = await installation.run(['status']);
    expect(code).toBe(1);
    expect(out).toMatch(/^Plumbline +degraded$/m);
    expect(out).toMatch(/^Not well: detection +detection is 400 s behind$/m);
  });

  it('ends with 1 when its database cannot be asked, and says why', async () => {
    const url = process.env.DATABASE_URL;
    process.env.DATABASE_URL = 'postgres://nobody@127.0.0.1:1/nothing';
    try {
      const { code, out, err } = await installation.run(['status']);
      expect(code).toBe(1);
      expect(out).toMatch(/^Database +cannot be asked$/m);
      expect(err).toContain('The database at 127.0.0.1:1/nothing (DATABASE_URL) cannot be used');
    } finally {
      process.env.DATABASE_URL = url;
    }
  });

  it('starts no database where none is running', async () => {
    const url = process.env.DATABASE_URL;
    delete process.env.DATABASE_URL;
    try {
      const { code, err } = await installation.run(['status']);
      expect(code).toBe(1);
      expect(err).toContain(`The database in the data folder ${installation.dataFolder} is not running`);
    } finally {
      process.env.DATABASE_URL = url;
    }
  });

  it('ends with 2 when what answers is another program, or a setting is wrong', async () => {
    readyz = 'hello';
    expect(await installation.run(['status'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('is not Plumbline: set MANAGEMENT_PORT'),
    });
    process.env.MANAGEMENT_PORT = 'x';
    expect(await installation.run(['status'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('MANAGEMENT_PORT'),
    });
  });

  it('ends with 3 when no product is running', async () => {
    process.env.MANAGEMENT_PORT = '2';
    expect(await installation.run(['status'])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('Plumbline is not running: nothing answers at http://127.0.0.1:2/readyz'),
    });
  });
});
