/**
 * Measures how soon after the commit of an alert its mail is at the server: from the commit to the end of the SMTP
 * dialogue, for a process of the built product with a separate database, compared with bare SMTP. The measurement is
 * repeated while the webhook of the same alerts does not answer. Then it measures the full path, from a point sent by
 * HTTP to its mail, for a threshold and for an anomaly, with the time of each stage.
 *
 *   npm run bench:alerts -- [--alerts 100] [--pause 100] [--only way]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { DataSource } from 'typeorm';
import { AlertOutboxRepository } from '../../dist/apps/server/src/alerting/alert/alert-outbox.repository.js';
import { AlertOutboxService } from '../../dist/apps/server/src/alerting/alert/alert-outbox.service.js';
import { SystemClock } from '../../dist/apps/server/src/common/clock.js';
import { connectionOptions } from '../../dist/apps/server/src/common/database/connection.js';
import { Transactions } from '../../dist/apps/server/src/common/database/transactions.js';
import { describeMachine, machineLines } from '../machine.mjs';
import { withDatabase } from '../storage/database.mjs';
import { withFullPath } from './full-path.mjs';

const { values: options } = parseArgs({
  options: {
    alerts: { type: 'string', default: '100' },
    pause: { type: 'string', default: '100' },
    only: { type: 'string' },
  },
});
const [alerts, pauseMs] = [Number(options.alerts), Number(options.pause)];
const GOAL_MS = 5000;
const TIMEOUT_MS = 60_000;
/** Anomalies at a shorter interval are a burst, which is reported in one message. */
const ANOMALY_PAUSE_MS = Math.max(pauseMs, 1000);

/** By address, or by metric: the time at which the mail arrived, and the time at which its point was sent. */
const arrived = new Map();
const begun = new Map();
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, { envelope }, done) {
    let head = '';
    stream.on('data', (chunk) => (head += head.length < 20_000 ? chunk.toString('latin1') : ''));
    stream.on('end', () => {
      for (const { address } of envelope.rcptTo) arrived.set(address, performance.now());
      // On the full path all mails have the same recipient: they are identified by metric.
      const [metric] = /[a-z]+way[0-9]+x/.exec(head) ?? [];
      if (metric !== undefined && !arrived.has(metric)) arrived.set(metric, performance.now());
      done();
    });
  },
});
smtp.on('error', () => undefined);
smtp.listen(0, '127.0.0.1');
await once(smtp.server, 'listening');
const smtpPort = smtp.server.address().port;
const silent = createServer(() => undefined).listen(0, '127.0.0.1');
await once(silent, 'listening');

async function arrival(address) {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!arrived.has(address) && performance.now() < deadline) await pause(2);
  return arrived.get(address) ?? Infinity;
}

/** Sends one after the other, like real alerts, and waits for all of them. */
async function series(name, send, keyOf = (n) => `${name}${String(n)}@example.org`, pauseBetween = pauseMs) {
  const waits = [];
  for (let n = 0; n < alerts; n++) {
    const key = keyOf(n);
    const began = performance.now();
    begun.set(key, began);
    await send(key, n);
    // The full path includes the answer to the request.
    const sent = name.endsWith('way') ? began : performance.now();
    waits.push(arrival(key).then((at) => at - sent));
    await pause(pauseBetween);
  }
  return Promise.all(waits);
}

function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.ceil(part * sorted.length) - 1].toFixed(0).replace('Infinity', 'never');
  return [at(0.5), at(0.95), at(1)];
}

function row(name, times) {
  const inTime = times.filter((time) => time < GOAL_MS).length;
  process.stdout.write(
    `| ${name} | ${String(inTime)} of ${String(times.length)} | ${quantiles(times).join(' | ')} |\n`,
  );
}

function contentOf(org) {
  return {
    kind: 'anomaly',
    phase: 'opened',
    isTest: false,
    title: 'Latency of web-1 is too high',
    summary: 'It is three times what was expected.',
    severity: 71,
    severityLabel: 'major',
    start: 1_760_000_000,
    end: null,
    timezone: 'UTC',
    items: [],
    metricsCount: 1,
    origin: null,
    facts: [],
    links: { console: 'https://plumbline.example.org/', act: null, graph: null, image: null },
    org: { id: org, name: 'Bench' },
    watcher: null,
    subject: { type: 'anomaly', id: '1' },
    event: { type: 'anomaly.opened', data: {} },
  };
}

const bare = createTransport({ pool: true, host: '127.0.0.1', port: smtpPort, ignoreTLS: true });
const sendBare = (address) => {
  void bare.sendMail({ from: 'bench@example.org', to: address, subject: 'x', text: 'x' });
};
const tableHead = (title) =>
  process.stdout.write(
    `${title}, milliseconds\n\n| | below ${String(GOAL_MS / 1000)} s | median | 95 % | slowest |\n| --- | --- | --- | --- | --- |\n`,
  );

/** Rows of the times between stages, for metrics whose names begin with `name`. */
function stageRows(name, stages) {
  const atMs = (seconds) => (seconds === null ? null : seconds * 1000 - performance.timeOrigin);
  const mine = stages.filter(({ name: metric }) => metric.startsWith(name) && begun.has(metric));
  const rows = {
    'sent → found and stored': ({ name: metric, found }) => [begun.get(metric), atMs(found)],
    'stored → grouped into an incident': ({ found, grouped }) => [atMs(found), atMs(grouped)],
    'stored → message decided on (held back on purpose)': ({ found, notified }) => [atMs(found), atMs(notified)],
    'decided → picture drawn, mail taken and recorded': ({ notified, taken }) => [atMs(notified), atMs(taken)],
  };
  process.stdout.write('\n| of which | median | 95 % | slowest |\n| --- | --- | --- | --- |\n');
  for (const [title, ends] of Object.entries(rows)) {
    const times = mine.map(ends).flatMap(([from, to]) => (to === null ? [] : [to - from]));
    if (times.length > 0) process.stdout.write(`| ${title} | ${quantiles(times).join(' | ')} |\n`);
  }
  process.stdout.write('\n');
}

async function measureFullPath() {
  const webhookUrl = `http://127.0.0.1:${String(silent.address().port)}/`;
  await withFullPath({ smtpPort, webhookUrl, alerts }, async (path) => {
    const sends = {
      thresholdway: await path.prepareThresholds('thresholdway', {}),
      anomalyway: await path.prepareAnomalies('anomalyway', {}),
      stalledthresholdway: await path.prepareThresholds('stalledthresholdway', { webhook: true }),
      stalledanomalyway: await path.prepareAnomalies('stalledanomalyway', { webhook: true }),
    };
    // Every process must know the new setting: an edit applies within five seconds.
    await pause(10_000);
    const title = 'From a point sent to the mail of its alert received';
    const measure = async (text, name, pauseBetween) => {
      tableHead(title);
      row(text, await series(name, sends[name], (n) => `${name}${String(n)}x`, pauseBetween));
      stageRows(name, await path.stages());
    };
    tableHead(title);
    row('bare SMTP', await series('beside', sendBare));
    process.stdout.write('\n');
    await measure('a point beyond a threshold', 'thresholdway');
    await measure('a point that is an anomaly', 'anomalyway', ANOMALY_PAUSE_MS);
    await measure('a threshold, while the webhook stalls', 'stalledthresholdway');
    await measure('an anomaly, while the webhook stalls', 'stalledanomalyway', ANOMALY_PAUSE_MS);
  });
}

process.stdout.write(`${machineLines(describeMachine(), alerts < 100).join('\n')}\n\n`);
const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
try {
  if (options.only !== 'way')
    await withDatabase(folder, async ({ url, query }) => {
      await query(`INSERT INTO org (id, name) VALUES (1, 'Bench')`);
      const dataSource = await new DataSource(connectionOptions(url)).initialize();
      const transactions = new Transactions(dataSource);
      const outbox = new AlertOutboxService(
        new AlertOutboxRepository(),
        {},
        { find: () => undefined },
        new SystemClock(),
      );
      const sender = spawn(process.execPath, [join(import.meta.dirname, '../../test/support/alert-sender.mjs')], {
        env: {
          ...process.env,
          DATABASE_URL: url,
          SMTP_PORT: String(smtpPort),
          WEBHOOK_URL: `http://127.0.0.1:${String(silent.address().port)}/`,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      try {
        for await (const line of createInterface({ input: sender.stdout })) if (line === 'ready') break;
        sender.stdout.resume();
        const enqueue = (name, also) => (address, n) =>
          transactions.run((tx) =>
            outbox.enqueue(
              {
                orgId: 1,
                key: `${name}/${String(n)}`,
                kind: 'anomaly',
                phase: 'opened',
                content: contentOf(1),
                destinations: [{ channel: 'email', recipient: address, userId: null, mentions: [] }, ...also],
                watcherId: null,
                watcherName: null,
                anomalyId: null,
                incidentId: null,
                metricId: null,
              },
              tx,
            ),
          );
        tableHead('From the decision to notify to the mail received');
        row('bare SMTP', await series('bare', sendBare));
        row('an alert', await series('alone', enqueue('alone', [])));
        const webhook = { channel: 'webhook', recipient: '', userId: null, mentions: [] };
        row('while its webhook stalls', await series('stalled', enqueue('stalled', [webhook])));
        process.stdout.write('\n');
      } finally {
        const ended = once(sender, 'exit');
        sender.kill('SIGTERM');
        await ended;
        await dataSource.destroy();
      }
    });
  await measureFullPath();
} finally {
  bare.close();
  silent.closeAllConnections();
  silent.close();
  smtp.close();
  await rm(folder, { recursive: true, force: true });
}
