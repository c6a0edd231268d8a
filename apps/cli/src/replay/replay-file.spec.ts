import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { runCli } from '../cli.js';
import { recordingTerminal } from '../testing/recording-terminal.js';

describe('plumbline replay', () => {
  let server: Server;
  /** Points of the requests received since the start of the test. */
  let received: { timestamps: number[]; values: number[] }[] = [];
  let refused = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const [batch] = (JSON.parse(body) as { metrics: typeof received }).metrics;
        received.push(batch!);
        const accepted = batch!.timestamps.length - refused;
        const metrics = [{ reasons: { too_old: refused } }];
        response.writeHead(refused === 0 ? 204 : 207, { 'content-type': 'application/json' });
        response.end(refused === 0 ? undefined : JSON.stringify({ accepted, refused, metrics }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    received = [];
    refused = 0;
  });

  async function replay(stdin: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const { terminal, written } = recordingTerminal(stdin);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const code = await runCli(['replay', '-', '--metric', 'a', '--token', 't', '--url', url, ...args], terminal);
    return { code, ...written };
  }

  it('sends a file with the newest row first in time order', async () => {
    expect(await replay('300,3\n200,2\n100,1\n')).toMatchObject({ code: 0, out: 'a: 3 points accepted\n' });
    expect(received).toMatchObject([{ timestamps: [100, 200, 300], values: [1, 2, 3] }]);
  });

  it('exits with code 1 when the server refuses a row', async () => {
    refused = 1;
    const { code, out, err } = await replay('100,1\n200,2\n');
    expect([code, out]).toEqual([1, 'a: 1 points accepted, 1 refused (1 too_old)\n']);
    expect(err).toContain('the server refused 1 points; rows are older than it keeps');
  });

  it('sends nothing from a file with unreadable rows', async () => {
    const { code, err } = await replay('100,1\n200,2 GB\n');
    expect(code).toBe(2);
    expect(err).toContain('line 2: value "2 GB" has the unit GB');
    expect(received).toEqual([]);
  });

  it('reads times and numbers in the given formats', async () => {
    const args = ['--time-format', 'dd.MM.yyyy HH:mm', '--decimal', ',', '--timezone', 'Europe/Berlin'];
    expect(await replay('Zeit;Wert\n01.02.2026 10:00;1.005,5\n', ...args)).toMatchObject({ code: 0 });
    expect(received).toMatchObject([{ timestamps: [Date.parse('2026-02-01T09:00:00Z') / 1000], values: [1005.5] }]);
  });
});
