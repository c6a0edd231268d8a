/**
 * How soon a mail is at its server after an alert was told: from the commit to the end of the SMTP dialogue, by a process
 * of the built product on a database of its own, beside bare SMTP; then once more while the webhook of the same alerts
 * answers nothing.
 *
 *   npm run bench:alerts -- [--alerts 100] [--pause 100]
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
import { AlertOutbox } from '../../dist/apps/server/src/alerting/alert/alert-outbox.service.js';
import { SystemClock } from '../../dist/apps/server/src/common/clock.js';
import { connectionOptions } from '../../dist/apps/server/src/common/database/connection.js';
import { Transactions } from '../../dist/apps/server/src/common/database/transactions.js';
import { describeMachine, machineLines } from '../machine.mjs';
import { withDatabase } from '../storage/database.mjs';

const { values: options } = parseArgs({
  options: { alerts: { type: 'string', default: '100' }, pause: { type: 'string', default: '100' } },
});
const [alerts, pauseMs] = [Number(options.alerts), Number(options.pause)];
const GOAL_MS = 5000;
const PATIENCE_MS = 60_000;

/** Address to the moment at which its mail was there. */
const arrived = new Map();
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, { envelope }, done) {
    stream.resume();
    stream.on('end', () => {
      for (const { address } of envelope.rcptTo) arrived.set(address, performance.now());
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
  const deadline = performance.now() + PATIENCE_MS;
  while (!arrived.has(address) && performance.now() < deadline) await pause(2);
  return arrived.get(address) ?? Infinity;
}

/** Sends one after the other, as alerts come, and waits for all. */
async function series(name, send) {
  const waits = [];
  for (let n = 0; n < alerts; n++) {
    const address = `${name}${String(n)}@example.org`;
    await send(address, n);
    const sent = performance.now();
    waits.push(arrival(address).then((at) => at - sent));
    await pause(pauseMs);
  }
  return Promise.all(waits);
}

function row(name, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.ceil(part * sorted.length) - 1].toFixed(0);
  const inTime = times.filter((time) => time < GOAL_MS).length;
  process.stdout.write(
    `| ${name} | ${String(inTime)} of ${String(times.length)} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |\n`,
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

const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
try {
  await withDatabase(folder, async ({ url, query }) => {
    await query(`INSERT INTO org (id, name) VALUES (1, 'Bench')`);
    const dataSource = await new DataSource(connectionOptions(url)).initialize();
    const transactions = new Transactions(dataSource);
    const outbox = new AlertOutbox(new AlertOutboxRepository(), {}, { find: () => undefined }, new SystemClock());
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
      const tell = (name, also) => (address, n) =>
        transactions.run((tx) =>
          outbox.tell(
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
      const bare = createTransport({ pool: true, host: '127.0.0.1', port: smtpPort, ignoreTLS: true });
      process.stdout.write(`${machineLines(describeMachine(), alerts < 100).join('\n')}\n\n`);
      process.stdout.write(
        `From an alert told to its mail received, milliseconds\n\n| | below ${String(GOAL_MS / 1000)} s | median | 95 % | slowest |\n| --- | --- | --- | --- | --- |\n`,
      );
      row(
        'bare SMTP',
        await series('bare', (address) => {
          void bare.sendMail({ from: 'bench@example.org', to: address, subject: 'x', text: 'x' });
        }),
      );
      row('an alert', await series('alone', tell('alone', [])));
      const webhook = { channel: 'webhook', recipient: '', userId: null, mentions: [] };
      row('while its webhook stalls', await series('stalled', tell('stalled', [webhook])));
      bare.close();
    } finally {
      const ended = once(sender, 'exit');
      sender.kill('SIGTERM');
      await ended;
      await dataSource.destroy();
    }
  });
} finally {
  silent.closeAllConnections();
  silent.close();
  smtp.close();
  await rm(folder, { recursive: true, force: true });
}
