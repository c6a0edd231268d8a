import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../dist/libs/embedded-postgres/src/index.js';
import { migrate } from '../../dist/apps/server/src/common/database/migrate.js';
import { MIGRATIONS } from '../../dist/apps/server/migrations/index.js';
import { PostgresSeriesStore } from '../../dist/libs/series/src/index.js';

const DAY = 86_400;
const TICK_SECONDS = 0.01;
export const TIERS = {
  tier1: { resolutionSeconds: 60, periodSeconds: 7 * DAY },
  tier2: { resolutionSeconds: 600, periodSeconds: 730 * DAY },
};

/** A durable database in `folder` with the tables of the product. */
export async function withDatabase(folder, work) {
  const server = await startEmbeddedPostgres({ dataFolder: folder, log: () => undefined });
  const client = new pg.Client({ connectionString: server.url });
  try {
    await migrate(server, MIGRATIONS, () => undefined);
    await client.connect();
    await work({
      url: server.url,
      query: async (sql) => (await client.query(sql)).rows,
      open: (policy = {}) => new PostgresSeriesStore({ connectionString: server.url, tiers: TIERS, policy }),
      /** Removes all points. */
      async reset() {
        const store = new PostgresSeriesStore({ connectionString: server.url, tiers: TIERS });
        await store.applyRetention(1_000_000 * DAY);
        await store.close();
      },
    });
  } finally {
    await client.end();
    await server.stop();
  }
}

/** CPU seconds so far of all processes of PostgreSQL. */
export async function postgresSeconds() {
  let ticks = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const parent = /^\d+ \((postgres|postmaster)\)/.test(stat);
    if (!parent) continue;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (!(await isOurs(pid))) continue;
    ticks += Number(fields[11]) + Number(fields[12]) + (isMaster(fields) ? Number(fields[13]) + Number(fields[14]) : 0);
  }
  return ticks * TICK_SECONDS;
}

/** The parent of ended children, the postmaster, counts their time; its parent is this process. */
const isMaster = (fields) => Number(fields[1]) === process.pid;

async function isOurs(pid) {
  for (let at = pid; at !== '0' && at !== '1';) {
    if (Number(at) === process.pid) return true;
    const stat = await readFile(`/proc/${at}/stat`, 'utf8').catch(() => '');
    if (stat === '') return false;
    at = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  }
  return false;
}
