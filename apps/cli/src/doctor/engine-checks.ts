import type pg from 'pg';
import { parseJetStreamUrl } from '#libs/jetstream';
import { BUCKET_IN_URL } from '#libs/state-objects';
import { diskText } from '#libs/wording';
import { failed, type Finding, ok, warning } from './finding.js';

const OLD_BACKLOG_SECONDS = 600;
/** Sub-second differences come from the network latency to the database. */
const NOTICEABLE_SECONDS = 2;
const WRONG_SECONDS = 60;
const FUTURE_SECONDS = 3600;

/** Compares the clock of this machine with those of the database and the senders. */
export async function checkClock(client: pg.Client, now: () => number): Promise<Finding> {
  const check = 'clock';
  const before = now();
  const { rows } = await client.query<{ there: number }>(
    `SELECT extract(epoch FROM clock_timestamp())::float8 AS there`,
  );
  const after = now();
  const there = rows[0]!.there;
  // A database time between the two readings counts as equal.
  const off = there < before ? before - there : there > after ? after - there : 0;
  const ahead = `this machine is ${Math.abs(off).toFixed(1)} s ${off > 0 ? 'ahead of' : 'behind'} the database`;
  const advice = 'Let chrony or systemd-timesyncd set the clocks of both machines';
  if (Math.abs(off) >= WRONG_SECONDS) return failed(check, ahead, advice);
  if (Math.abs(off) >= NOTICEABLE_SECONDS) return warning(check, ahead, advice);
  const newest = await newestPoint(client);
  if (newest !== null && newest > after + FUTURE_SECONDS) {
    const message = `the newest point is ${Math.round((newest - after) / 60)} minutes in the future`;
    return warning(check, message, 'Check the clocks of this machine and of the senders');
  }
  return ok(check, 'agrees with that of the database');
}

async function newestPoint(client: pg.Client): Promise<number | null> {
  if (!(await hasTable(client, 'metric'))) return null;
  const { rows } = await client.query<{ newest: number | null }>(
    'SELECT max(last_timestamp)::float8 AS newest FROM metric',
  );
  return rows[0]!.newest;
}

interface Backlog {
  points: number;
  oldest: number | null;
}

export interface EngineSettings {
  now: () => number;
  isRunning: boolean;
  /** DETECTION_STATE_URL. */
  stateUrl: string | undefined;
}

/** The log of accepted points, the store of series, and the learnt state of detection. */
export async function checkEngines(
  client: pg.Client,
  { now, isRunning, stateUrl }: EngineSettings,
): Promise<Finding[]> {
  return [
    await checkPointLog(client, now, isRunning),
    await checkSeriesStore(client),
    await checkLearntState(client, stateUrl),
  ];
}

async function checkPointLog(client: pg.Client, now: () => number, isRunning: boolean): Promise<Finding> {
  const check = 'point log';
  const missing = await missingTables(client, ['point_log', 'point_log_layout', 'detection_checkpoint']);
  if (missing.length > 0) return absent(check, missing);
  const { rows } = await client.query<Backlog>(
    `SELECT coalesce(sum(waiting.points), 0)::float8 AS points, min(waiting.oldest)::float8 AS oldest
     FROM point_log_layout layout
     CROSS JOIN generate_series(0, layout.partitions - 1) AS p
     LEFT JOIN detection_checkpoint c ON c."partition" = p
     CROSS JOIN LATERAL (
       SELECT sum(l.points) AS points, min(l.appended_at) AS oldest FROM point_log l
       WHERE l."partition" = p AND l.position > coalesce(c.applied_position, 0) AND l.points > 0
     ) AS waiting`,
  );
  const { points, oldest } = rows[0]!;
  const age = oldest === null ? 0 : now() - oldest;
  if (age < OLD_BACKLOG_SECONDS) return ok(check, `${points} points wait for detection`);
  const message = `${points} points wait for detection, the oldest for ${Math.round(age / 60)} minutes`;
  const advice = isRunning
    ? 'Look at docs/guide/runbook.md#plumblinebacklogage'
    : 'Start a process with the role detect: it processes them';
  return warning(check, message, advice);
}

async function checkSeriesStore(client: pg.Client): Promise<Finding> {
  const check = 'series store';
  const tables = ['series_recent', 'series_block', 'series_rollup'];
  const missing = await missingTables(client, tables);
  if (missing.length > 0) return absent(check, missing);
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes
     FROM pg_class c WHERE c.relkind = 'r' AND c.relname LIKE 'series\\_%' AND c.relnamespace = current_schema()::regnamespace`,
  );
  return ok(check, `${diskText(rows[0]!.bytes)} of points and roll-ups`);
}

/** Checked by the rows of the database; the processes that detect check the object servers themselves (`/readyz`). */
async function checkLearntState(client: pg.Client, stateUrl: string | undefined): Promise<Finding> {
  const check = 'learnt state';
  const { rows: columns } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_attribute
       WHERE attrelid = to_regclass('detection_checkpoint_page') AND attname = 'object') AS found`,
  );
  if (!columns[0]!.found) return absent(check, ['detection_checkpoint_page.object']);
  const { rows } = await client.query<{ series: number; pages: number; objects: number }>(
    `SELECT coalesce(sum(series), 0)::float8 AS series, count(*)::float8 AS pages, count(object)::float8 AS objects
     FROM detection_checkpoint_page`,
  );
  const { series, pages, objects } = rows[0]!;
  if (objects > 0 && stateUrl === undefined) {
    const message = `${objects} of ${pages} pages are in NATS JetStream, and DETECTION_STATE_URL is not set`;
    return failed(check, message, 'Set it as it was, or add "move=postgresql" to it for one start');
  }
  const { servers, stream } = parseJetStreamUrl(stateUrl ?? 'nats://unused', BUCKET_IN_URL);
  const place = `, ${objects} of ${pages} pages in NATS JetStream at ${servers.join(', ')}, buckets ${stream}`;
  return ok(check, `of ${series} series is saved${stateUrl === undefined ? '' : place}`);
}

function absent(check: string, missing: readonly string[]): Finding {
  const message = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing in the database`;
  return failed(check, message, 'Run plumbline migrate; when nothing is to be run, restore a backup');
}

async function missingTables(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const table of tables) if (!(await hasTable(client, table))) missing.push(table);
  return missing;
}

async function hasTable(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  return rows[0]!.found;
}
