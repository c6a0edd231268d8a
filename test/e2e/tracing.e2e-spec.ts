import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Product, startProduct, until } from '../support/product.js';
import { SPAN_KIND, TraceCollector } from '../support/trace-collector.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const ROOT = resolve(import.meta.dirname, '../..');
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

describe('traces of a running product', () => {
  let collector: TraceCollector;
  let receiver: WebhookReceiver;
  let product: Product;
  let token: string;
  let ingestToken: string;

  beforeAll(async () => {
    collector = await new TraceCollector({ 'x-collector-key': 'planted-key' }).listen();
    receiver = await new WebhookReceiver('', () => Date.now() / 1000).listen();
    product = await startProduct({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=planted-key',
      OTEL_SERVICE_NAME: 'plumbline-under-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      PLUMBLINE_OUTGOING: 'any',
      PLUMBLINE_LOG_LEVEL: 'debug',
      PLUMBLINE_LOG_FORMAT: 'json',
    });
    token = await product.createToken(['read', 'write', 'admin']);
    ingestToken = await product.createToken(['ingest']);
  }, 150_000);

  afterAll(async () => {
    await product.dispose();
    await receiver.close();
    await collector.close();
  });

  const send = async (traceparent?: string): Promise<void> => {
    const answer = await fetch(`${product.url}/ingest/metrics`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Auth-Token': ingestToken,
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      body: JSON.stringify({ metric: 'queue-planted-name', value: 99 }),
    });
    if (!answer.ok) throw new Error(`The point was answered ${String(answer.status)}`);
  };

  it('follow a point from its sender through detection', async () => {
    await send(`00-${CALLER.traceId}-${CALLER.spanId}-01`);
    const request = await until('the span of the request', () =>
      Promise.resolve(collector.named('POST /ingest/metrics').find(({ traceId }) => traceId === CALLER.traceId)),
    );
    expect(request).toMatchObject({
      parentSpanId: CALLER.spanId,
      kind: SPAN_KIND.server,
      attributes: { 'http.request.method': 'POST', 'http.route': '/ingest/metrics', 'http.response.status_code': 204 },
      resource: {
        'service.name': 'plumbline-under-test',
        'service.version': expect.stringMatching(/^\d/) as string,
        'deployment.environment.name': 'test',
      },
    });
    const parts = await until('the parts of the request', () => {
      const found = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
      return Promise.resolve(found.length >= 3 && found);
    });
    expect(parts.map(({ name }) => name)).toEqual(['ingest parse', 'ingest admit', 'ingest append']);
    const append = parts[2]!;
    const batch = await until('the batch with the point', () =>
      Promise.resolve(
        collector.named('detection batch').find(({ links }) => links.some(({ spanId }) => spanId === append.spanId)),
      ),
    );
    // A batch has points of many requests, so it links to them instead of being part of one.
    expect(batch).toMatchObject({ kind: SPAN_KIND.consumer });
    expect(batch.traceId).not.toBe(CALLER.traceId);
    expect(batch.parentSpanId).toBeUndefined();
    await until('the points to be stored', () =>
      Promise.resolve(
        collector.named('detection store points').find(({ parentSpanId }) => parentSpanId === batch.spanId),
      ),
    );
    expect(collector.faults).toEqual([]);
  }, 90_000);

  it('follow an alert from its plan to the receiver', async () => {
    const connected = await product.call<{ properties: { secret: string } }>(
      'PUT',
      '/integration/webhook/orgproperties',
      token,
      { url: `${receiver.url}/hook` },
    );
    receiver.secret = connected.properties.secret;
    const rule = { name: 'Queue', chips: ['queue'], alert: true, algorithm: 'above', value: 10, webhook: true };
    await product.call('POST', '/watcher/threshold', token, rule);
    await until(
      'the webhook',
      async () => {
        await send();
        return receiver.taken.length > 0;
      },
      { everyMs: 1000 },
    );
    const delivery = await until('the span of the delivery', () =>
      Promise.resolve(
        collector.named('alert delivery').find(({ attributes }) => attributes['plumbline.result'] === 'taken'),
      ),
    );
    expect(delivery).toMatchObject({ kind: SPAN_KIND.producer, attributes: { 'plumbline.channel': 'webhook' } });
    const plan = await until('the span of the plan', () =>
      Promise.resolve(
        collector.named('alert plan').find(({ spanId }) => delivery.links.some((link) => link.spanId === spanId)),
      ),
    );
    expect(plan.links.length).toBeGreaterThan(0);
    await until('what the plan refers to', () =>
      Promise.resolve(
        collector
          .named('detection store findings')
          .some(({ spanId }) => plan.links.some((link) => link.spanId === spanId)),
      ),
    );
    const call = await until('the span of the call', () =>
      Promise.resolve(collector.spans.find(({ parentSpanId }) => parentSpanId === delivery.spanId)),
    );
    expect(call).toMatchObject({
      name: 'POST',
      kind: SPAN_KIND.client,
      attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 204 },
    });
    const { headers } = receiver.received.at(-1)!;
    expect(receiver.received.map((one) => one.headers.traceparent)).toContain(`00-${call.traceId}-${call.spanId}-01`);
    expect(headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(collector.faults).toEqual([]);
  }, 120_000);

  it('are named in log lines, and contain no values, names, tokens or addresses', async () => {
    await product.api('/metrics?limit=7&q=planted-query', token);
    await until('the span of the list', () => Promise.resolve(collector.named('GET /api/metrics').length > 0));
    const { traceId } = collector.named('GET /api/metrics')[0]!;
    const line = await until('its line in the log', () =>
      Promise.resolve(
        product
          .output()
          .split('\n')
          .find((one) => one.includes(traceId) && one.includes('GET /api/metrics')),
      ),
    );
    expect(JSON.parse(line)).toMatchObject({ trace_id: traceId, request_id: expect.any(String) as string });
    const all = JSON.stringify(collector.spans);
    for (const secret of [token, ingestToken, 'planted', receiver.secret, 'admin@example.org', '/hook']) {
      expect(all).not.toContain(secret);
    }
  });

  it('have no parent without a valid traceparent, and respect the sampling flag of the caller', async () => {
    const before = collector.named('POST /ingest/metrics').length;
    for (const bad of [
      'nonsense',
      `00-${'0'.repeat(32)}-${CALLER.spanId}-01`,
      `ff-${CALLER.traceId}-${CALLER.spanId}-01`,
    ]) {
      await send(bad);
    }
    const spans = await until('their spans', () => {
      const found = collector.named('POST /ingest/metrics').slice(before);
      return Promise.resolve(found.length >= 3 && found);
    });
    expect(spans.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined, undefined]);
    // A request whose caller does not sample it is not recorded.
    await send(`00-${'ab'.repeat(16)}-${CALLER.spanId}-00`);
    await send(`00-${'cd'.repeat(16)}-${CALLER.spanId}-01`);
    await until('the recorded one', () =>
      Promise.resolve(collector.spans.some(({ traceId }) => traceId === 'cd'.repeat(16))),
    );
    expect(collector.spans.filter(({ traceId }) => traceId === 'ab'.repeat(16))).toEqual([]);
  });

  it('load no OpenTelemetry package while they are disabled', async () => {
    const loaded = async (env: Record<string, string>): Promise<string[]> => {
      const file = join(product.dataFolder, 'modules');
      const script = `
        const { startTracing, stopTracing, inSpan } = await import(process.argv[1] + 'tracing.js');
        const { TracingConfig } = await import(process.argv[1] + 'tracing.config.js');
        const { loadConfig } = await import(process.argv[1] + '../config/load-config.js');
        await startTracing(loadConfig([TracingConfig], process.env).get(TracingConfig), 'node');
        await inSpan('work', () => ({}), async () => undefined);
        await stopTracing();`;
      const folder = join(ROOT, 'dist/apps/server/src/common/telemetry/');
      const args = [
        '--import',
        join(ROOT, 'test/support/record-modules.mjs'),
        '--input-type=module',
        '-e',
        script,
        folder,
      ];
      await promisify(execFile)(process.execPath, args, {
        env: { ...process.env, NODE_OPTIONS: '', MODULES_FILE: file, ...env },
      });
      const modules = (await readFile(file, 'utf8')).split('\n');
      await rm(file);
      return modules.filter((path) => path.includes('@opentelemetry'));
    };
    expect(await loaded({})).toEqual([]);
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    expect(await loaded({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toEqual([]);
    expect(await loaded({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toEqual([]);
    expect((await loaded(endpoint)).length).toBeGreaterThan(0);
  });
});
