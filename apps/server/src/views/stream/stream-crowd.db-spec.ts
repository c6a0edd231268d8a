import { type AddressInfo } from 'node:net';
import { Permission } from '#libs/contracts';
import { EventStream } from '../../../../../test/support/event-stream.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { until } from '../../../../../test/support/product.js';
import { Transactions } from '../../common/database/transactions.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { StreamModule } from './stream.module.js';
import { StreamService } from './stream.service.js';

const ORGS = 10;
const LISTENERS_EACH = 100;
const EVENTS = 200;
/** Hundreds of thousands of events take long on a busy machine. */
const TIMEOUT_MS = 120_000;

let app: MetricApp;
const open: EventStream[] = [];

beforeAll(async () => {
  const limits = {
    PLUMBLINE_LIMIT_STREAMS: '1000',
    PLUMBLINE_LIMIT_STREAMS_ORG: '1000',
    PLUMBLINE_LIMIT_API: '100000',
  };
  const env = { ...limits, PLUMBLINE_STREAM_TIMEOUT_SECONDS: '5' };
  app = await MetricApp.create({ env, clock: new HandClock() }, [StreamModule]);
  await app.app.listen(0);
});
afterAll(() => app.close());
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function listen(token: string): Promise<EventStream> {
  const { port } = (app.app.getHttpServer() as { address(): AddressInfo }).address();
  const url = `http://127.0.0.1:${String(port)}/api/stream`;
  const stream = await EventStream.open(url, { 'X-Auth-Token': token });
  open.push(stream);
  return stream;
}

async function touch(orgId: number, times: number): Promise<void> {
  await app.get(Transactions).run(async (tx) => {
    const event = { orgId, type: 'org.updated', subjectId: orgId } as const;
    await app.get(StreamLogService).append(Array<typeof event>(times).fill(event), tx);
  });
}

describe('a thousand listeners of one process', () => {
  it(
    'receive all events in order',
    async () => {
      const orgIds: number[] = [];
      for (let i = 0; i < ORGS; i++) {
        const { id } = await app.anOrg();
        orgIds.push(id);
        const token = await app.aToken(id, Permission.Read);
        for (let j = 0; j < LISTENERS_EACH; j += 10) {
          await Promise.all(Array.from({ length: 10 }, () => listen(token)));
        }
      }
      expect(app.get(StreamService).size).toBe(ORGS * LISTENERS_EACH);

      for (let done = 0; done < EVENTS; done += 10) await Promise.all(orgIds.map((orgId) => touch(orgId, 10)));

      for (const [place, stream] of open.entries()) {
        const events = await stream.events(EVENTS);
        const orgId = orgIds[Math.floor(place / LISTENERS_EACH)];
        expect(events.every(({ data }) => data.org_id === orgId)).toBe(true);
        const ids = events.map(({ id }) => Number(id));
        expect([...new Set(ids)].sort((a, b) => a - b)).toEqual(ids);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'are not delayed by one that stops reading, which is dropped with a reason',
    async () => {
      const { id } = await app.anOrg();
      const token = await app.aToken(id, Permission.Read);
      const [slow, quick] = [await listen(token), await listen(token)];
      slow.pause();
      // More than the socket buffers of the operating system hold.
      for (let i = 0; i < 60; i++) await touch(id, 500);

      await quick.events(30_000);
      const streams = app.get(StreamService);
      const isLeft = (): Promise<true | undefined> => Promise.resolve(streams.size > 1 ? undefined : true);
      await until('the slow listener to be dropped', isLeft, { timeoutMs: 120_000 });
      slow.resume();
      await slow.over();
      expect(slow.received.at(-1)).toMatchObject({ event: 'end', data: { reason: 'too_slow' } });
      expect(slow.received.length).toBeLessThan(30_000);
      expect(quick.isOver).toBe(false);
    },
    TIMEOUT_MS,
  );
});
