import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../ingest/product.mjs';
import { random } from '../ingest/bodies.mjs';
import { until } from '../ingest/until.mjs';
import { withDatabase } from '../storage/database.mjs';

const MINUTE = 60;
/** Number of points from which the detector learns a metric. */
const LEARNT = 360;
const SPIKE = 500;

/** Times at which the results of a point were in the database, by metric. Unix seconds. */
const STAGES = `
  SELECT m.name, (p.state->>'firstAt')::float8 AS "lookedAt", p.told_at AS notified,
    extract(epoch FROM found.at)::float8 AS found, extract(epoch FROM grouped.at)::float8 AS grouped,
    extract(epoch FROM d.settled_at)::float8 AS taken
  FROM alert_delivery d
  JOIN alert a ON a.id = d.alert_id
  JOIN metric m ON m.id = a.metric_id
  JOIN alert_plan p ON p.org_id = a.org_id AND p.key = a.key
  CROSS JOIN LATERAL (SELECT min(happened_at) AS at FROM stream_event
    WHERE metric_id = m.id AND type IN ('anomaly.opened', 'threshold.breached')) AS found
  CROSS JOIN LATERAL (SELECT min(happened_at) AS at FROM stream_event
    WHERE subject_id = a.incident_id AND type = 'incident.opened') AS grouped
  WHERE d.channel = 'email' AND d.phase = 'opened' AND d.state = 'sent'`;

/**
 * Measures the path from a point sent by HTTP to the resulting mail, on the built product with a separate database.
 * @param smtpPort of the server that accepts the mails
 * @param webhookUrl of a server that never answers
 * @param alerts number of metrics of each `prepare…`; all have different names, so that nothing is grouped
 */
export async function withFullPath({ smtpPort, webhookUrl, alerts }, work) {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-way-'));
  try {
    await withDatabase(folder, async ({ url, query }) => {
      const env = {
        DATABASE_URL: url,
        SMTP_HOST: '127.0.0.1',
        SMTP_PORT: String(smtpPort),
        SMTP_SECURITY: 'none',
        MAIL_FROM: 'plumbline@example.org',
        LOGIN_CODE: 'off',
        PLUMBLINE_OUTGOING: 'any',
      };
      const product = await startProduct({ env });
      try {
        await work({ ...(await pathOf(product, webhookUrl, alerts)), stages: () => query(STAGES) });
      } finally {
        await product.dispose();
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pathOf(product, webhookUrl, alerts) {
  const token = await product.createToken(['read', 'write', 'ingest', 'admin']);
  const { users } = await product.call('/org/users', { token });
  const send = async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json', 'X-Auth-Token': token };
    const answer = await fetch(product.url + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} was not taken: ${await answer.text()}`);
  };
  await send('PUT', '/api/integration/webhook/orgproperties', { url: webhookUrl });
  const now = () => Math.floor(Date.now() / 1000);
  const point = (metric, value) => send('POST', '/ingest/metrics', { metric, timestamp: now(), value });
  const names = (name) => Array.from({ length: alerts }, (_, n) => `${name}${String(n)}x`);
  return {
    /** Creates a threshold watcher for each metric; returns the function that sends a breaching point. */
    async prepareThresholds(name, fields) {
      for (const metric of names(name)) {
        const rule = { algorithm: 'above', value: 10, chips: [metric] };
        const body = { ...rule, alert: true, email_users: [users[0].id], name: metric, ...fields };
        await product.call('/watcher/threshold', { token, body });
      }
      return (metric) => point(metric, 99);
    },
    /**
     * Creates one watcher of all metrics, which have learnt their usual values; returns the function that sends a
     * spike.
     */
    async prepareAnomalies(name, fields) {
      const watcher = { chips: [name], alert: true, email_users: [users[0].id], name, ...fields };
      await product.call('/watcher', { token, body: watcher });
      const noise = random(7);
      const newest = now() - MINUTE;
      for (const metric of names(name)) {
        const metrics = Array.from({ length: LEARNT }, (_, age) => {
          return { metric, timestamp: newest - (LEARNT - 1 - age) * MINUTE, value: 100 + 4 * noise() };
        });
        await send('POST', '/ingest/metrics', { metrics, backfill: true });
      }
      await until('all of it to be learnt', async () => {
        const { metrics } = await product.call(`/metrics?chips=${name}&limit=${String(alerts)}`, { token });
        const learnt = metrics.filter(({ last_timestamp: last }) => last !== null && last >= newest - MINUTE);
        return learnt.length === alerts || undefined;
      });
      return (metric) => point(metric, SPIKE);
    },
  };
}
