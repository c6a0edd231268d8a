import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCli } from '../cli.js';
import { recordingTerminal } from '../testing/recording-terminal.js';

let server: Server;
let url: string;
let folder: string;
let received: { path: string; token: string | undefined; body: Record<string, unknown> }[];
let answer: { status: number; data: object };

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const token = request.headers['x-auth-token'] as string | undefined;
      received.push({ path: request.url!, token, body: JSON.parse(body || '{}') as Record<string, unknown> });
      response.writeHead(answer.status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ status: {}, data: answer.data }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-config-'));
  received = [];
});
afterEach(() => rm(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { terminal, written } = recordingTerminal();
  const code = await runCli([...args, '--url', url, '--token', 'pl_x'], terminal);
  return { code, ...written };
}

describe('plumbline apply', () => {
  it('sends a folder as one document with variables filled in, and prints the changes', async () => {
    await writeFile(join(folder, 'b.yml'), '# ${NOT_SET}\nkind: b\nsecret: ${PLUMBLINE_TEST_SECRET}\ntext: $${KEPT}');
    await writeFile(join(folder, 'a.yaml'), 'kind: a\n');
    await mkdir(join(folder, 'sub'));
    process.env.PLUMBLINE_TEST_SECRET = 'hidden';
    answer = {
      status: 200,
      data: {
        changes: [
          { kind: 'tuning', name: 'web', action: 'updated', diff: 'sensitivity: 1 -> 0.5' },
          { kind: 'tuning', name: 'db', action: 'unchanged', diff: '' },
        ],
      },
    };
    const { code, out } = await run('apply', '-f', folder, '--dry-run');
    delete process.env.PLUMBLINE_TEST_SECRET;
    expect(code).toBe(0);
    expect(received).toEqual([
      {
        path: '/api/config/apply',
        token: 'pl_x',
        body: {
          document: 'kind: a\n\n---\n# ${NOT_SET}\nkind: b\nsecret: "hidden"\ntext: $${KEPT}',
          dry_run: true,
          prune: false,
        },
      },
    ]);
    expect(out).toBe(
      '~ tuning web\n    sensitivity: 1 -> 0.5\n0 created, 1 updated, 0 removed, 1 unchanged (dry run: nothing was changed)\n',
    );
  });

  it('names file and line of each problem', async () => {
    await writeFile(join(folder, 'a.yaml'), 'kind: a\n');
    await writeFile(join(folder, 'b.yaml'), 'kind: b\nx: 1\n');
    answer = {
      status: 400,
      data: {
        message: 'The request has 2 problems.',
        error: { details: [{ message: 'line 1: kind is wrong' }, { message: 'line 5: x is wrong' }] },
      },
    };
    const { code, err } = await run('apply', '-f', folder);
    expect(code).toBe(2);
    expect(err).toBe(
      `plumbline: ${join(folder, 'a.yaml')}:1: kind is wrong\n  ${join(folder, 'b.yaml')}:2: x is wrong\n`,
    );
  });

  it('sends nothing when a variable is missing or the file does not exist', async () => {
    await writeFile(join(folder, 'a.yaml'), 'kind: a\nsecret: ${PLUMBLINE_TEST_MISSING}\n');
    await writeFile(join(folder, 'b.yaml'), '# ${IN_A_COMMENT}\nkind: b # ${BESIDE}\nx: [${PLUMBLINE_TEST_GONE}]\n');
    const { code, err } = await run('apply', '-f', folder);
    expect([code, err]).toEqual([
      2,
      `plumbline: ${join(folder, 'a.yaml')}:2: the environment has no PLUMBLINE_TEST_MISSING\n` +
        `  ${join(folder, 'b.yaml')}:3: the environment has no PLUMBLINE_TEST_GONE\n`,
    ]);
    expect((await run('apply', '-f', join(folder, 'none'))).code).toBe(2);
    expect(received).toEqual([]);
  });
});

it('plumbline export writes the document', async () => {
  answer = { status: 200, data: { document: 'kind: tuning' } };
  const { code, out } = await run('export', '--format', 'json');
  expect([code, out]).toEqual([0, 'kind: tuning\n']);
  expect(received[0]!.path).toBe('/api/config/export?format=json');
});

it('a command that reaches no server says how to name another address', async () => {
  const away = createServer().listen(0, '127.0.0.1');
  await once(away, 'listening');
  const address = `http://127.0.0.1:${String((away.address() as AddressInfo).port)}`;
  await new Promise((closed) => away.close(closed));
  const { terminal, written } = recordingTerminal();
  expect(await runCli(['export', '--url', address, '--token', 'pl_x'], terminal)).toBe(1);
  expect(written.err).toBe(
    `plumbline: ${address} cannot be reached (ECONNREFUSED); start the server there, or name its address with --url\n`,
  );
});
