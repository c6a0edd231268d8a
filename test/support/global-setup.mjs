import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftPrograms } from './left-programs.mjs';

const STARTER = join(import.meta.dirname, '../../dist/libs/embedded-postgres/src/index.js');

/**
 * Offers a PostgreSQL server to the test processes, and starts it at the first request, so that runs without database
 * tests do not wait for it. A client of the port in PLUMBLINE_TEST_DATABASE_PORT gets one line of JSON: `{url}` or
 * `{error}`. With PLUMBLINE_TEST_DATABASE_URL set, the tests use that server and do not connect.
 *
 * PLUMBLINE_TEST_PROGRAMS is the folder in which the tests record the programs that they start (programs.ts),
 * PLUMBLINE_TEST_TEMPLATES that of data folders that they copy (demo-template.ts).
 */
export default async function globalSetup() {
  let starting;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    starting ??= start();
    starting.then(
      ({ database }) => socket.end(JSON.stringify({ url: database.superuserUrl })),
      (error) => socket.end(JSON.stringify({ error: error.message })),
    );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  process.env.PLUMBLINE_TEST_DATABASE_PORT = String(server.address().port);

  const programs = await mkdtemp(join(tmpdir(), 'plumbline-programs-'));
  process.env.PLUMBLINE_TEST_PROGRAMS = programs;
  const templates = await mkdtemp(join(tmpdir(), 'plumbline-templates-'));
  process.env.PLUMBLINE_TEST_TEMPLATES = templates;

  let ending;
  globalThis.endTestServices = () => (ending ??= end());
  async function end() {
    server.close();
    const left = await endLeftPrograms(programs);
    if (left.length > 0)
      process.stderr.write(`Tests have left programs running, which were ended: ${left.join(', ')}\n`);
    const { database, folder } = (await starting?.catch(() => undefined)) ?? {};
    await rm(templates, { recursive: true, force: true });
    await database?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  }
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.once(name, () => void globalThis.endTestServices().finally(() => process.exit(code)));
  }
}

async function start() {
  if (!existsSync(STARTER)) {
    throw new Error('The tests with a database start it with the built product: run npm run build first');
  }
  const { startEmbeddedPostgres } = await import(STARTER);
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-test-'));
  try {
    return {
      folder,
      database: await startEmbeddedPostgres({ dataFolder: folder, log: () => undefined, durable: false }),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
