/**
 * A process of the built product that sends alerts (role `notify`), with two plain channels in place of the product's:
 * `email` by SMTP and `webhook` by HTTP. For tests and benchmarks of the delivery.
 *
 *   DATABASE_URL=… SMTP_PORT=… WEBHOOK_URL=… node test/support/alert-sender.mjs
 *
 * Prints `ready`. For each line on standard input it prints its metrics and a line `.`.
 */
import { NestFactory } from '@nestjs/core';
import { createInterface } from 'node:readline';
import { createTransport } from 'nodemailer';
import { ChannelRegistryService } from '../../dist/apps/server/src/alerting/channel/channel-registry.service.js';
import { ChannelError } from '../../dist/apps/server/src/alerting/channel/channel.errors.js';
import { AppModule } from '../../dist/apps/server/src/app.module.js';
import { MetricsRegistry } from '../../dist/apps/server/src/common/telemetry/metrics.js';

const { DATABASE_URL, SMTP_PORT, WEBHOOK_URL } = process.env;
Object.assign(process.env, {
  PLUMBLINE_ROLES: 'notify',
  PLUMBLINE_SECRET_KEY: '0'.repeat(64),
  PLUMBLINE_LOG_LEVEL: 'error',
  PUBLIC_URL: 'https://plumbline.example.org',
});

const app = await NestFactory.createApplicationContext(AppModule.forRoot(DATABASE_URL, ['notify']), {
  logger: ['error'],
});
const transport = createTransport({
  pool: true,
  maxConnections: 3,
  host: '127.0.0.1',
  port: Number(SMTP_PORT),
  secure: false,
  ignoreTLS: true,
});
const registry = app.get(ChannelRegistryService, { strict: false });

/** Mail servers do not detect repeated messages. */
registry.register({
  id: 'email',
  isIdempotent: false,
  canUpdate: false,
  repeatSeconds: null,
  missing: async () => null,
  async send({ id, content, destination }) {
    await transport.sendMail({
      messageId: `<${id}@example.org>`,
      from: 'plumbline@example.org',
      to: destination.recipient,
      subject: content.title,
      text: content.summary,
    });
    return { thread: null };
  },
});
registry.register({
  id: 'webhook',
  isIdempotent: true,
  canUpdate: false,
  repeatSeconds: null,
  missing: async () => null,
  async send({ id, content, destination }, signal) {
    const answer = await fetch(WEBHOOK_URL, {
      method: 'POST',
      headers: { 'webhook-id': id, 'content-type': 'application/json' },
      body: JSON.stringify({ title: content.title, recipient: destination.recipient }),
      signal,
    });
    if (!answer.ok) throw new ChannelError('later', `HTTP ${String(answer.status)}`);
    return { thread: null };
  },
});
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));
process.stdout.write('ready\n');
for await (const _ of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await app.get(MetricsRegistry, { strict: false }).prometheus.metrics()}\n.\n`);
}
