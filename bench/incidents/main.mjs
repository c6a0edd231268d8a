/**
 * Measures how soon thousands of anomalies become one incident, on the built product with a separate database: an
 * organisation with 200,000 metrics of 200 clusters, in which the anomalies of one cluster begin within a minute.
 *
 *   npm run bench:incidents -- [--metrics 200000] [--anomalies 2000] [--seconds 60] [--earlier 5000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { IncidentGroupingRepository } from '../../dist/apps/server/src/analysis/incident/incident-grouping.repository.js';
import { IncidentGroupingService } from '../../dist/apps/server/src/analysis/incident/incident-grouping.service.js';
import { SystemClock } from '../../dist/apps/server/src/common/clock.js';
import { AdvisoryLocks } from '../../dist/apps/server/src/common/database/advisory-locks.js';
import { connectionOptions } from '../../dist/apps/server/src/common/database/connection.js';
import { Transactions } from '../../dist/apps/server/src/common/database/transactions.js';
import { StreamLogRepository } from '../../dist/apps/server/src/platform/stream-log/stream-log.repository.js';
import { StreamLogService } from '../../dist/apps/server/src/platform/stream-log/stream-log.service.js';
import { withDatabase } from '../storage/database.mjs';

const { values: options } = parseArgs({
  options: {
    metrics: { type: 'string', default: '200000' },
    anomalies: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    earlier: { type: 'string', default: '5000' },
  },
});
const [metrics, anomalies, seconds, earlier] = ['metrics', 'anomalies', 'seconds', 'earlier'].map((name) =>
  Number(options[name]),
);
const CLUSTERS = 200;
const GOAL_SECONDS = 10;
const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const quantile = (numbers, part) => numbers.toSorted((a, b) => a - b)[Math.floor(part * (numbers.length - 1))] ?? 0;
const now = () => Date.now() / 1000;

async function fill(query) {
  await query(`INSERT INTO org (id, name) VALUES (1, 'Bench')`);
  // Each cluster has hosts with a hundred metrics each.
  await query(`
    INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
    SELECT 1, n.name, sha256(n.name::bytea), n.family, n.labels, 'gauge', 'last', 'http'
    FROM generate_series(0, ${metrics - 1}) AS i, LATERAL (
      SELECT 'family_' || i % 100 AS family,
             jsonb_build_object('cluster', 'c' || i % ${CLUSTERS}, 'instance', 'host-' || i / 100) AS labels) AS f,
      LATERAL (SELECT f.family || '{cluster="c' || i % ${CLUSTERS} || '",instance="host-' || i / 100 || '"}' AS name,
                      f.family, f.labels) AS n`);
  // Earlier anomalies, like those of an ordinary day.
  await query(`
    INSERT INTO anomaly (org_id, metric_id, start_timestamp, end_timestamp, peak_timestamp, score, severity, kind, state)
    SELECT 1, m.id, s.start, s.start + 300, s.start, 0.7, 40, 'spike', 'resolved'
    FROM (SELECT id, row_number() OVER (ORDER BY name_hash) AS place FROM metric) AS m,
      LATERAL (SELECT ${now() - 86_400} + m.place * ${84_000 / earlier} AS start) AS s
    WHERE m.place <= ${earlier}`);
  await query('ANALYZE');
}

const open = (query, ids, start) =>
  query(`
    INSERT INTO anomaly (org_id, metric_id, start_timestamp, peak_timestamp, score, severity, kind, state)
    SELECT 1, id, ${start}, ${start}, 0.8, 60, 'spike', 'open' FROM unnest('{${ids.join()}}'::integer[]) AS id`);

try {
  await withDatabase(folder, async ({ url, query }) => {
    await fill(query);
    const dataSource = await new DataSource(connectionOptions(url)).initialize();
    const clock = new SystemClock();
    const transactions = new Transactions(dataSource);
    const grouping = new IncidentGroupingService(
      new IncidentGroupingRepository(dataSource),
      { find: async (id) => ({ id, timezone: 'UTC' }) },
      { record: () => undefined },
      new StreamLogService(new StreamLogRepository(dataSource), clock),
      transactions,
      new AdvisoryLocks(dataSource),
      clock,
    );
    const rounds = [];
    const round = async () => {
      const started = performance.now();
      await grouping.run();
      rounds.push(performance.now() - started);
    };
    await round();
    process.stdout.write(
      `${String(metrics)} metrics; ${String(earlier)} earlier anomalies grouped in ${(rounds[0] / 1000).toFixed(1)} s\n`,
    );
    rounds.length = 0;

    const chosen = await query(
      `SELECT id FROM metric WHERE labels @> '{"cluster": "c7"}' ORDER BY name_hash LIMIT ${anomalies}`,
    );
    const others = await query(
      `SELECT id FROM metric WHERE NOT labels @> '{"cluster": "c7"}' ORDER BY name_hash DESC LIMIT ${anomalies - chosen.length}`,
    );
    const ids = [...chosen, ...others].map(({ id }) => id);
    // With few metrics, a cluster is smaller than the outage: other metrics get its label.
    await query(
      `UPDATE metric SET labels = labels || '{"cluster": "c7"}' WHERE id = ANY('{${ids.join()}}'::integer[])`,
    );
    const begin = now();
    let stopped = false;
    // As in the product: a second between the end of a round and the next one.
    const rounding = (async () => {
      while (!stopped) {
        await pause(1000);
        await round();
      }
    })();
    let last = begin;
    for (let step = 0; step < seconds; step++) {
      const part = ids.slice((step * ids.length) / seconds, ((step + 1) * ids.length) / seconds);
      if (part.length > 0) await open(query, part, Math.floor(begin + step));
      last = now();
      if (step < seconds - 1) await pause(Math.max(0, (begin + step + 1 - now()) * 1000));
    }
    let found = [];
    while (now() - last < 120) {
      found = await query(
        `SELECT i.id, i.title, i.anomalies_count AS anomalies, i.origins FROM incident i WHERE i.state = 'open' AND i.anomalies_count > 0`,
      );
      if (found.length === 1 && found[0].anomalies === ids.length) break;
      await pause(20);
    }
    const took = now() - last;
    stopped = true;
    await rounding;
    const [incident] = found;
    process.stdout.write(
      `${String(ids.length)} anomalies within ${String(seconds)} s: ${String(found.length)} incident, complete ${took.toFixed(1)} s after the last (goal ${String(GOAL_SECONDS)} s)\n` +
        `rounds: ${String(rounds.length)}, median ${quantile(rounds, 0.5).toFixed(0)} ms, slowest ${quantile(rounds, 1).toFixed(0)} ms\n` +
        `${incident.title}\n${incident.origins[0].metric}: ${incident.origins[0].reason}\n`,
    );
    await dataSource.destroy();
    if (found.length !== 1 || took > GOAL_SECONDS) process.exitCode = 1;
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
