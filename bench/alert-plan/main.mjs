/**
 * Measures the cost of planning alerts in a storm, on the built product with a separate database: 2,000 metrics of one
 * host become anomalous within a minute, in an organisation with 500 watchers that each select some of them.
 *
 *   npm run bench:alert-plan -- [--anomalies 2000] [--watchers 500] [--seconds 60]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { AlertBurstRepository } from '../../dist/apps/server/src/alerting/alert-plan/alert-burst.repository.js';
import { AlertCoverageService } from '../../dist/apps/server/src/alerting/alert-plan/alert-coverage.service.js';
import { AlertMessagesService } from '../../dist/apps/server/src/alerting/alert-plan/alert-messages.service.js';
import { AlertPlanRepository } from '../../dist/apps/server/src/alerting/alert-plan/alert-plan.repository.js';
import { AlertPlannerService } from '../../dist/apps/server/src/alerting/alert-plan/alert-planner.service.js';
import { PlanSubjectsService } from '../../dist/apps/server/src/alerting/alert-plan/plan-subjects.service.js';
import { AlertOutboxRepository } from '../../dist/apps/server/src/alerting/alert/alert-outbox.repository.js';
import { AlertOutboxService } from '../../dist/apps/server/src/alerting/alert/alert-outbox.service.js';
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
    anomalies: { type: 'string', default: '2000' },
    watchers: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
  },
});
const [anomalies, watchers, seconds] = ['anomalies', 'watchers', 'seconds'].map((name) => Number(options[name]));
const ORG = { id: 1, name: 'Bench', timezone: 'UTC', alertsMutedUntil: null };
const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
const quantile = (numbers, part) => numbers.toSorted((a, b) => a - b)[Math.floor(part * (numbers.length - 1))] ?? 0;

/** The first watchers select everything, the others a tenth of the metrics each; each has different recipients. */
function ruleOf(index) {
  return {
    id: index + 1,
    orgId: ORG.id,
    name: `Watcher ${String(index)}`,
    chips: index < watchers / 10 ? ['host:storm'] : [`group:g${String(index % 10)}`],
    anomalies: { minSeverity: 0, minDurationSeconds: 0, direction: 'both', kinds: [] },
    threshold: null,
    expirationSeconds: 3600,
    budgetPerWeek: null,
    severityInEffect: 0,
    destinations: [{ channel: 'email', recipient: `user${String(index)}@example.org`, userId: null, mentions: [] }],
  };
}

try {
  await withDatabase(folder, async ({ url, query }) => {
    await query(`INSERT INTO org (id, name) VALUES (1, 'Bench')`);
    await query(`
      INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
      SELECT 1, n, sha256(n::bytea), n,
             jsonb_build_object('host', CASE WHEN i < ${anomalies} THEN 'storm' ELSE 'web-' || i % 60 END, 'group', 'g' || i % 10),
             'gauge', 'last', 'http'
      FROM generate_series(0, ${anomalies * 5 - 1}) AS i, LATERAL (SELECT 'family_' || i AS n) AS names`);
    await query('ANALYZE');
    const dataSource = await new DataSource(connectionOptions(url)).initialize();
    const clock = new SystemClock();
    const transactions = new Transactions(dataSource);
    const orgs = { find: async () => ORG };
    const grouping = new IncidentGroupingService(
      new IncidentGroupingRepository(dataSource),
      orgs,
      { record: () => undefined },
      new StreamLogService(new StreamLogRepository(dataSource), clock),
      transactions,
      new AdvisoryLocks(dataSource),
      clock,
    );
    const rules = Array.from({ length: watchers }, (_, index) => ruleOf(index));
    const plans = new AlertPlanRepository(dataSource);
    const noLinks = { console: '', act: null, graph: null, image: null };
    const outbox = new AlertOutboxService(new AlertOutboxRepository(), {}, { find: () => undefined }, clock);
    const planner = new AlertPlannerService(
      plans,
      new PlanSubjectsService(plans, new AlertBurstRepository()),
      new AlertCoverageService({ holdsAlertsBack: () => false }, { alertingOf: async () => rules }),
      new AlertMessagesService(
        outbox,
        { ofIncident: () => noLinks },
        { displayNames: async () => new Map() },
        { stepsOf: async () => [] },
      ),
      orgs,
      transactions,
      clock,
    );
    const rounds = [];
    let stopped = false;
    const work = async (round, times) => {
      while (!stopped) {
        const began = performance.now();
        await round();
        const took = performance.now() - began;
        times?.push(took);
        await pause(times === undefined ? 1000 : Math.min(3000, Math.max(200, 3 * took)));
      }
    };
    const processor = process.cpuUsage();
    const working = [work(() => grouping.run()), work(() => planner.run(), rounds)];
    const ids = await query(`SELECT id FROM metric WHERE labels @> '{"host": "storm"}' ORDER BY id`);
    const begin = Date.now() / 1000;
    for (let step = 0; step < seconds; step++) {
      const part = ids.slice((step * ids.length) / seconds, ((step + 1) * ids.length) / seconds);
      await query(`
        INSERT INTO anomaly (org_id, metric_id, start_timestamp, peak_timestamp, score, severity, kind, state)
        SELECT 1, id, ${Math.floor(begin + step)}, ${Math.floor(begin + step)}, 0.8, 60, 'spike', 'open'
        FROM unnest('{${part.map(({ id }) => id).join()}}'::integer[]) AS id`);
      await pause(Math.max(0, (begin + step + 1) * 1000 - Date.now()));
    }
    let found = { messages: 0, watchers: 0 };
    while (Date.now() / 1000 - begin < seconds + 120 && found.watchers < watchers) {
      await pause(500);
      [found] = await query(`
        SELECT count(*)::integer AS messages, count(DISTINCT a.watcher_id)::integer AS watchers
        FROM alert_delivery d JOIN alert a ON a.id = d.alert_id WHERE d.phase = 'opened'`);
    }
    const took = Date.now() / 1000 - begin;
    stopped = true;
    await Promise.all(working);
    const { user, system } = process.cpuUsage(processor);
    process.stdout.write(
      `${String(ids.length)} anomalies within ${String(seconds)} s, ${String(watchers)} watchers: ${String(found.messages)} first messages ` +
        `of ${String(found.watchers)} watchers, the last ${took.toFixed(1)} s after the first anomaly\n` +
        `rounds of planning: ${String(rounds.length)}, median ${quantile(rounds, 0.5).toFixed(0)} ms, slowest ${quantile(rounds, 1).toFixed(0)} ms\n` +
        `processor time of grouping and planning: ${((user + system) / 1e6).toFixed(1)} s, ${((user + system) / 1e4 / took).toFixed(0)} % of a core\n`,
    );
    await dataSource.destroy();
    if (found.messages !== watchers) process.exitCode = 1;
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
