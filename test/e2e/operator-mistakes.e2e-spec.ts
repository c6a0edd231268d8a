import { type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** The environment without the settings of the test run. */
const SURROUNDINGS = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PLUMBLINE_')));

interface Start {
  child: ChildProcess;
  output(): string;
  /** Resolves to the exit code. */
  ended: Promise<number | null>;
}

describe('a misconfigured start', () => {
  let folder: string;
  let started: Start[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
    started = [];
  });

  afterEach(async () => {
    await Promise.all(started.map(({ child }) => endProgram(child)));
    await rm(folder, { recursive: true, force: true });
  });

  function start(env: Record<string, string>): Start {
    const main = join(ROOT, 'dist/apps/server/src/main.js');
    const options: SpawnOptions = {
      cwd: ROOT,
      env: { ...SURROUNDINGS, NODE_OPTIONS: '', PLUMBLINE_DATA: folder, PLUMBLINE_DEMO: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    };
    const child = startProgram(process.execPath, [main], options, folder);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = (once(child, 'exit') as Promise<[number | null]>).then(([code]) => code);
    const start = { child, output: () => output, ended };
    started.push(start);
    return start;
  }

  const isReady = (managementPort: number) => async () => {
    const answer = await fetch(`http://127.0.0.1:${String(managementPort)}/readyz`);
    return answer.ok ? true : undefined;
  };

  it('reports a port in use, and prints the first login only on a successful start', async () => {
    const other: Server = createServer().listen(0, '::');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const managementPort = await freePort();
    const failing = start({ PORT: String(port), MANAGEMENT_PORT: String(managementPort) });
    expect(await failing.ended).toBe(1);
    other.close();
    const lines = failing.output().trim().split('\n');
    expect(lines.at(-1)).toBe(
      `Port ${String(port)} is in use by another program: stop that one, or set PORT to another port.`,
    );
    expect(failing.output()).not.toMatch(/\n +at |EADDRINUSE/);

    const working = start({ PORT: String(await freePort()), MANAGEMENT_PORT: String(managementPort) });
    await until('the product to be ready', isReady(managementPort));
    expect(working.output()).toMatch(/Password +([a-z2-9]{4}-){4}[a-z2-9]{4}\n/);

    // The product survives when its output is closed.
    working.child.stdout?.destroy();
    working.child.stderr?.destroy();
    await fetch(`http://127.0.0.1:${String(managementPort)}/livez`);
    working.child.kill('SIGTERM');
    expect(await working.ended).toBe(0);

    const changed = start({ PLUMBLINE_PARTITIONS: '4', PORT: '0', MANAGEMENT_PORT: String(managementPort) });
    expect(await changed.ended).toBe(2);
    expect(changed.output().trim()).toMatch(/^The point log of this installation has 8 partitions [^\n]+$/);
  }, 240_000);

  it('names the setting of an invalid data folder', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const failing = start({ PLUMBLINE_DATA: file, PORT: String(await freePort()), MANAGEMENT_PORT: '0' });
    expect(await failing.ended).toBe(1);
    expect(failing.output().trim()).toMatch(/^The data folder \S+ cannot be used: [^\n]+ Set PLUMBLINE_DATA [^\n]+$/);
  }, 120_000);

  it('refuses the database of a development version, and explains how to create a new one', async () => {
    const database = await createTestDatabase();
    try {
      await database.dataSource.query(`UPDATE migrations SET name = 'OrganisationsAndPeople1767225600001'`);
      const failing = start({ DATABASE_URL: database.url, PORT: String(await freePort()), MANAGEMENT_PORT: '0' });
      expect(await failing.ended).toBe(2);
      expect(failing.output().trim()).toMatch(
        /^The database at \S+ \(DATABASE_URL\) was made by a development version [^\n]+ set DATABASE_URL to it\.$/,
      );
    } finally {
      await database.drop();
    }
  }, 120_000);
});
