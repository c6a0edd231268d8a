import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { BodyBudgetService } from './body-budget.service.js';
import { IngestController } from './ingest.controller.js';

const KIB = 1024;

describe('a JSON body that contains the token', () => {
  let fakes: FakeIngest;
  let app: INestApplication;

  async function start(strangers: number): Promise<void> {
    fakes = new FakeIngest({ ingestStrangers: strangers });
    app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module] });
  }
  afterEach(() => app.close());

  const http = () => request(app.getHttpServer() as Parameters<typeof request>[0]);

  const post = (body: string, encoding: 'identity' | 'gzip') =>
    http()
      .post('/ingest/metrics')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': encoding })
      .serialize((bytes: unknown) => bytes as string)
      .send(encoding === 'gzip' ? gzipSync(body) : body);

  async function expandedBytes(): Promise<number> {
    const metric = app.get(MetricsRegistry).prometheus.getSingleMetric('plumbline_ingest_expanded_bytes_total')!;
    return (await metric.get()).values[0]?.value ?? 0;
  }

  /** A body of `bytes` bytes, with the key before or after the points. */
  function aBody(bytes: number, key: { first?: string; last?: string }): string {
    const column = Array.from({ length: 1000 }, (_, i) => FIXED_NOW - i);
    const metrics = [{ metric: 'cpu', timestamps: column, values: column }];
    const text = JSON.stringify({ ...(key.first ? { key: key.first } : {}), metrics });
    const end = key.last ? `,"key":"${key.last}"}` : '}';
    return text.slice(0, -1) + ' '.repeat(Math.max(0, bytes - text.length)) + end;
  }

  it('counts against the limit of the sender address before it is read', async () => {
    await start(2);
    await post('{"key":"pl_unknown"}', 'identity').expect(401);
    await post('{"key":"pl_unknown"}', 'identity').expect(401);
    await app.listen(0, '127.0.0.1');
    const socket = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'POST /ingest/metrics HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    );
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(chunk.toString()).toMatch(/^HTTP\/1.1 429 [^]*X-RateLimit-Limit: 2\r\n/);
    expect(app.get(BodyBudgetService).heldBytes).toBe(0);
    await http().post('/ingest/metrics').set('X-Auth-Token', TOKENS.ingest).send({ metric: 'a', value: 1 }).expect(204);
  });

  it('is decompressed only up to the start without a valid token', async () => {
    await start(100);
    const bomb = gzipSync(Buffer.alloc(32 * KIB * KIB - 1, ' '));
    expect(bomb.length).toBeLessThan(33 * KIB);
    const answer = await http()
      .post('/ingest/metrics')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((bytes: unknown) => bytes as string)
      .send(bomb);
    expect([answer.status, answer.body.error]).toEqual([413, 'too_large']);
    expect(await expandedBytes()).toBeLessThanOrEqual(64 * KIB);
  });

  it('is not decompressed for an unknown token', async () => {
    await start(100);
    await post(aBody(300 * KIB, { first: 'pl_unknown' }), 'gzip').expect(401);
    expect(await expandedBytes()).toBe(0);
  });

  it.each(['identity', 'gzip'] as const)('may be large when the token comes first: %s', async (encoding) => {
    await start(100);
    await post(aBody(300 * KIB, { first: TOKENS.ingest }), encoding).expect(204);
    expect(fakes.log.points).toBe(1000);
    expect(await expandedBytes()).toBeGreaterThanOrEqual(300 * KIB);
  });

  it('may contain the token anywhere when it is small', async () => {
    await start(100);
    await post(aBody(0, { last: TOKENS.ingest }), 'gzip').expect(204);
    await post(aBody(300 * KIB, { last: TOKENS.ingest }), 'identity').expect(413);
  });
});
