import { type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Permission } from '#libs/contracts';
import { START } from '../../../../test/support/hand-clock.js';
import { addressOf, faceOf, type McpClient } from '../../../../test/support/mcp-clients.js';
import { MetricApp } from '../../../../test/support/metric-app.js';
import { McpModule } from '../../../server/src/views/mcp/mcp.module.js';
import { runCli } from '../cli.js';
import { recordingTerminal } from '../testing/recording-terminal.js';

const PROGRAM = join(resolve(import.meta.dirname, '../../../..'), 'dist/apps/cli/src/main.js');
const IDENTITY = { name: 'a test', version: '1.0.0' };

let app: MetricApp;
let base: string;
let orgId: number;
let token: string;
let anomalyId: number;

beforeAll(async () => {
  app = await MetricApp.create({}, [McpModule]);
  base = await addressOf(app.app.getHttpServer() as Server);
  orgId = (await app.anOrg({ timezone: 'UTC' })).id;
  token = await app.aToken(orgId, Permission.Read);
  anomalyId = await app.anAnomaly(orgId, await app.aMetric(orgId, 'web-1.cpu'), START - 7200, START - 3600);
});
afterAll(() => app.close());

/** `plumbline mcp` as an assistant starts it. */
const command = () => ({
  command: process.execPath,
  args: [PROGRAM, 'mcp', '--url', base],
  env: { ...(process.env as Record<string, string>), NODE_OPTIONS: '', PLUMBLINE_TOKEN: token },
});

const CONNECTIONS: [kind: string, connect: () => Promise<McpClient>][] = [
  [
    '2026-07-28',
    async () => {
      const client = new Client(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      await client.connect(new StdioClientTransport(command()));
      return faceOf('2026-07-28', client);
    },
  ],
  [
    '2025',
    async () => {
      const client = new Client2025(IDENTITY);
      await client.connect(new Transport2025(command()));
      return faceOf('2025', client as unknown as Client);
    },
  ],
];

describe('plumbline mcp', () => {
  it.each(CONNECTIONS)('serves tools and resources to a client of revision %s', async (_kind, connect) => {
    const client = await connect();
    try {
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['explain_anomaly', 'list_anomalies', 'read_series']));
      const { data } = await client.call('list_anomalies', { limit: 5 });
      expect(data).toMatchObject({ total: 1, anomalies: [{ id: anomalyId, metric: 'web-1.cpu' }] });
      expect(await client.call('explain_anomaly', { anomaly_id: 987_654 })).toMatchObject({
        isError: true,
        text: 'There is no anomaly 987654.',
      });
      expect(await client.templates()).toHaveLength(2);
      await expect(client.readPicture('plumbline://anomaly/987654/picture.png')).rejects.toThrow(/no anomaly 987654/);
    } finally {
      await client.close();
    }
  });

  async function refusal(...options: string[]): Promise<{ code: number; err: string }> {
    const { terminal, written } = recordingTerminal('');
    const code = await runCli(['mcp', ...options], terminal);
    return { code, err: written.err };
  }

  it('exits with code 2 when the token is wrong or missing', async () => {
    expect(await refusal('--url', base, '--token', 'pl_wrong')).toEqual({
      code: 2,
      err: expect.stringContaining('send a token in X-Auth-Token'),
    });
    const sender = await app.aToken(orgId, Permission.Ingest);
    expect(await refusal('--url', base, '--token', sender)).toMatchObject({
      code: 2,
      err: expect.stringContaining('lacks the permission "read"'),
    });
    expect((await refusal('--url', base)).err).toContain('a token is needed');
  });

  it('reports that no server answers at the address', async () => {
    expect(await refusal('--url', 'http://127.0.0.1:1', '--token', token)).toMatchObject({
      err: expect.stringContaining('http://127.0.0.1:1 cannot be reached'),
    });
  });
});
