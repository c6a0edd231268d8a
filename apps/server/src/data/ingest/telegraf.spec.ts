import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { InfluxClientController } from './influx-client.controller.js';
import { IngestController } from './ingest.controller.js';
import { RefusalEventsService } from './refusal-events.service.js';

interface SentRequest {
  what: string;
  method: 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  lines?: 'all' | 'text';
  status: number;
}

const { requests, lines } = JSON.parse(
  readFileSync(new URL('../../../../../test/golden/telegraf/requests.json', import.meta.url), 'utf8'),
) as { requests: SentRequest[]; lines: string[] };

const TEXT_LINES = lines.filter((line) => numbersOf([line]) === 0);

describe('requests of Telegraf', () => {
  const fakes = new FakeIngest();
  let app: INestApplication;

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [IngestController, InfluxClientController], imports: [fakes.module] });
  });
  afterAll(() => app.close());
  beforeEach(() => fakes.reset());

  function send({ path, headers, body, lines: which }: SentRequest): request.Test {
    const basic = Buffer.from(`telegraf:${TOKENS.ingest}`).toString('base64');
    const text = (which === 'text' ? TEXT_LINES : lines).join('\n').replaceAll(/@$/gm, `${String(FIXED_NOW)}000000000`);
    const bytes = Buffer.from(body ?? `${text}\n`);
    const test = request(app.getHttpServer() as Parameters<typeof request>[0]).post(path);
    for (const [name, value] of Object.entries(headers)) {
      void test.set(name, value.replace('{basic}', basic).replace('{token}', TOKENS.ingest));
    }
    return test
      .serialize((sent: unknown) => sent as string)
      .send(headers['Content-Encoding'] === 'gzip' ? gzipSync(bytes) : bytes);
  }

  it.each(requests.map((sent) => [sent.what, sent] as const))(
    'are accepted without a refusal event: %s',
    async (_, sent) => {
      await send(sent).expect(sent.status);
      app.get(RefusalEventsService).flush();
      expect(fakes.events).toEqual([]);
      expect(fakes.log.points).toBe(sent.lines === 'all' ? numbersOf(lines) : 0);
    },
  );

  it('include a line with only text, from the system plugin', () => {
    expect(TEXT_LINES).toEqual([expect.stringContaining('uptime_format=')]);
  });

  it('create metrics named after measurement and field', async () => {
    await send(requests.find(({ what }) => what === 'outputs.influxdb_v2 writes')!).expect(204);
    const names = [...fakes.registry.ids.keys()];
    for (const name of [
      'system_uptime{host="web-1"}',
      'mem_used_percent{host="web-1"}',
      'disk_used_percent{device="sda15",fstype="vfat",host="web-1",label="UEFI System",mode="rw",path="/boot/efi"}',
      'internal_agent_metrics_written{go_version="1.21.6",host="web-1",version="1.29.5"}',
    ]) {
      expect(names).toContain(name);
    }
    expect(names.filter((name) => name.includes('uptime_format'))).toEqual([]);
  });
});

/** Counts the numeric fields in the lines. */
function numbersOf(all: readonly string[]): number {
  const fields = all.flatMap((line) =>
    line
      .replace(/ @$/, '')
      .split(/(?<!\\) /)
      .slice(1)
      .join(' ')
      .split(','),
  );
  return fields.filter((field) => /^[a-z0-9_]+=-?\d/.test(field)).length;
}
