import { type AddressInfo } from 'node:net';
import { type OutgoingHttpHeaders } from 'node:http';
import { Permission } from '#libs/contracts';
import { type AnomalyEvent } from '#libs/detection';
import { EventStream } from '../../../../../test/support/event-stream.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { bareShape, storeMatch, storePattern } from '../../../../../test/support/patterns.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { ProgressService } from '../../people/progress/progress.service.js';
import { SessionService } from '../../people/session/session.service.js';
import { StreamLogRepository } from '../../platform/stream-log/stream-log.repository.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { StreamModule } from './stream.module.js';
import { StreamService } from './stream.service.js';

let app: MetricApp;
/** Another process on the same database. */
let other: MetricApp;
let orgId: number;
let token: string;
const open: EventStream[] = [];

const ENV = { PLUMBLINE_LIMIT_STREAMS: '5', PLUMBLINE_LIMIT_STREAMS_ORG: '7' };

beforeAll(async () => {
  app = await MetricApp.create({ env: ENV, clock: new HandClock() }, [StreamModule]);
  other = await MetricApp.create({ env: ENV, clock: app.clock, database: app.database }, [StreamModule]);
  await Promise.all([app.app.listen(0), other.app.listen(0)]);
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function listen(
  query = '',
  { on = app, headers }: { on?: MetricApp; headers?: OutgoingHttpHeaders } = {},
): Promise<EventStream> {
  const { port } = (on.app.getHttpServer() as { address(): AddressInfo }).address();
  const url = `http://127.0.0.1:${String(port)}/api/stream${query}`;
  const stream = await EventStream.open(url, headers ?? { 'X-Auth-Token': token });
  open.push(stream);
  return stream;
}

function anomaly(type: AnomalyEvent['type'], seriesId: number, overrides: Partial<AnomalyEvent> = {}): AnomalyEvent {
  return {
    type,
    seriesId,
    startTimestamp: START - 300,
    endTimestamp: type === 'closed' ? START - 60 : null,
    outUntilTimestamp: null,
    peakTimestamp: START - 300,
    value: 9,
    peakValue: 9,
    expected: 2,
    lower: 1,
    upper: 3,
    score: 0.9,
    severity: 70,
    rarityDays: null,
    kind: 'spike',
    explanation: [],
    closeReason: type === 'closed' ? 'recovered' : null,
    backfill: false,
    ...overrides,
  };
}

async function record(...events: AnomalyEvent[]): Promise<void> {
  const recorder = app.get(AnomalyRecordingService);
  for (const event of events) await app.get(Transactions).run((tx) => recorder.record([event], tx));
}

/** Appends events of the organisation in the process `on`. */
async function touch(on: MetricApp, times = 1, of = orgId): Promise<void> {
  await on.get(Transactions).run(async (tx) => {
    const event = { orgId: of, type: 'org.updated', subjectId: of } as const;
    await on.get(StreamLogService).append(Array<typeof event>(times).fill(event), tx);
  });
}

const types = (stream: EventStream): string[] => stream.received.map(({ event }) => event);

describe('GET /stream', () => {
  it('sends an anomaly from opening to closing, with its record', async () => {
    const stream = await listen();
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
    const metricId = await app.aMetric(orgId, 'web-1.cpu');

    await record(anomaly('opened', metricId), anomaly('updated', metricId, { severity: 80 }));
    await record(anomaly('closed', metricId));

    const events = await stream.events(3);
    expect(types(stream)).toEqual(['anomaly.opened', 'anomaly.updated', 'anomaly.closed']);
    expect(events[2]).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      data: {
        timestamp: START,
        org_id: orgId,
        anomaly: { metric: 'web-1.cpu', state: 'resolved', until_timestamp: START - 60, severity: 70 },
      },
    });
    const ids = events.map(({ id }) => Number(id));
    expect([...ids].sort((a, b) => a - b)).toEqual(ids);
  });

  it('sends jobs and settings, but not anomalies of backfilled history', async () => {
    const stream = await listen();
    const metricId = await app.aMetric(orgId, 'web-1.cpu');
    await record(anomaly('opened', metricId, { backfill: true }));
    const id = await app.get(ProgressService).create({ orgId, type: 'training', title: 'Building 2 patterns' });
    await app.get(ProgressService).advance(orgId, id, 40);
    await app.get(Transactions).run((tx) => app.get(OrgService).notifyUpdated(orgId, tx));

    const events = await stream.events(3);
    expect(types(stream)).toEqual(['progress', 'progress', 'org.updated']);
    expect(events[1]!.data.progress).toMatchObject({ id, type: 'training', percent: 40 });
    expect(events[2]!.data.org).toMatchObject({ id: orgId });
  });

  it('sends the acknowledgement of a backfilled anomaly', async () => {
    const metricId = await app.aMetric(orgId, 'web-1.cpu');
    const id = await app.anAnomaly(orgId, metricId, START - 300, null, { isBackfill: true });
    const stream = await listen();
    const by = { userId: null, at: START, note: 'disk replaced' };
    await app.get(Transactions).run((tx) => app.get(AnomalyRecordingService).acknowledge(orgId, [id], by, tx));
    const [event] = await stream.events(1);
    expect(event).toMatchObject({
      event: 'anomaly.updated',
      data: { anomaly: { id, acknowledge_note: 'disk replaced' } },
    });
  });

  it('sends patterns and matches with their records, and filters matches by chips, but not patterns', async () => {
    const [web, db] = [await app.aMetric(orgId, 'web-1.cpu'), await app.aMetric(orgId, 'db-1.cpu')];
    const [all, ofDb] = [await listen(), await listen('?chips=db-*')];
    await app.database.dataSource.query(`UPDATE metric SET type = 'counter', unit = 'bytes' WHERE id = $1`, [web]);
    const patternIds: number[] = [];
    const matchIds: number[] = [];
    for (const metricId of [web, db]) {
      const patternId = await storePattern(app, { orgId, metricId, shape: bareShape(START - 86_400), label: 'backup' });
      patternIds.push(patternId);
      matchIds.push(
        await storeMatch(app.database.dataSource, { orgId, metricId, patternId, start: START, explanation: 'alike' }),
      );
    }
    await app.get(Transactions).run(async (tx) => {
      const [id, other] = patternIds as [number, number];
      await app.get(PatternDirectoryService).announce(orgId, { created: [id], updated: [id, other] }, tx);
      await app.get(StreamLogService).append(
        [web, db].map((metricId, i) => ({ orgId, type: 'match.created', subjectId: matchIds[i]!, metricId })),
        tx,
      );
    });

    const events = await all.events(4);
    expect(types(all)).toEqual(['pattern.created', 'pattern.updated', 'match.created', 'match.created']);
    expect(events[0]!.data).toMatchObject({
      org_id: orgId,
      pattern: { id: patternIds[0], metric: 'web-1.cpu', label: 'backup', unit: 'bytes/s', deletable: false },
    });
    expect(events[2]!.data).toMatchObject({
      match: {
        id: matchIds[0],
        metric: 'web-1.cpu',
        pattern_label: 'backup',
        explanation: 'alike',
        similarity: 0.97,
        unit: 'bytes/s',
      },
    });
    await ofDb.events(3);
    expect(ofDb.received.map(({ event, data }) => [event, (data.pattern ?? data.match).id])).toEqual([
      ['pattern.created', patternIds[0]],
      ['pattern.updated', patternIds[1]],
      ['match.created', matchIds[1]],
    ]);
  });

  it('never sends patterns or matches of another organisation', async () => {
    const { id: strangerId } = await app.anOrg();
    const metricId = await app.aMetric(strangerId, 'web-1.cpu');
    const patternId = await storePattern(app, { orgId: strangerId, metricId, shape: bareShape(START - 86_400) });
    const matchId = await storeMatch(app.database.dataSource, { orgId: strangerId, metricId, patternId, start: START });
    const stream = await listen();
    await app.get(Transactions).run(async (tx) => {
      await app.get(PatternDirectoryService).announce(orgId, { updated: [patternId] }, tx);
      const events = [
        { orgId, type: 'pattern.updated', subjectId: patternId },
        { orgId, type: 'match.created', subjectId: matchId },
        { orgId, type: 'org.updated', subjectId: orgId },
      ] as const;
      await app.get(StreamLogService).append(events, tx);
    });

    await stream.events(1);
    expect(types(stream)).toEqual(['org.updated']);
  });

  it('sends neither events of a rollback nor those of other organisations', async () => {
    const stream = await listen();
    const rollback = new Error('no');
    const work = app.get(Transactions).run(async (tx) => {
      await app.get(StreamLogService).append([{ orgId, type: 'org.updated', subjectId: orgId }], tx);
      throw rollback;
    });
    await expect(work).rejects.toBe(rollback);
    await touch(app, 1, (await app.anOrg()).id);
    await app.get(ProgressService).create({ orgId, type: 'training', title: 'x' });

    await stream.events(1);
    expect(types(stream)).toEqual(['progress']);
  });

  it('sends the events of all processes in every process, in the same order', async () => {
    const here = await listen();
    const there = await listen('', { on: other });
    await Promise.all(Array.from({ length: 40 }, (_, i) => touch(i % 2 === 0 ? app : other)));

    const ids = (await here.events(40)).map(({ id }) => Number(id));
    expect((await there.events(40)).map(({ id }) => Number(id))).toEqual(ids);
    expect([...ids].sort((a, b) => a - b)).toEqual(ids);
  });

  it('sends events in the order of their commits', async () => {
    const stream = await listen();
    const job = await app.get(ProgressService).create({ orgId, type: 'training', title: 'x' });
    await stream.events(1);
    let markStarted: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (markStarted = resolve));
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const long = app.get(Transactions).run(async (tx) => {
      await tx.query('UPDATE org SET name = $2 WHERE id = $1', [orgId, 'Changed']);
      markStarted();
      await gate;
      await app.get(StreamLogService).append([{ orgId, type: 'org.updated', subjectId: orgId }], tx);
    });
    await started;
    await app.get(ProgressService).advance(orgId, job, 50);
    go();
    await long;

    await stream.events(3);
    expect(types(stream).slice(1)).toEqual(['progress', 'org.updated']);
  });

  it('filters by types and by chips', async () => {
    const [web, db] = [await app.aMetric(orgId, 'web-1.cpu'), await app.aMetric(orgId, 'db-1.cpu')];
    const ends = await listen('?types=anomaly.closed');
    const ofDb = await listen('?chips=db-*');
    await record(anomaly('opened', web), anomaly('opened', db), anomaly('closed', web), anomaly('closed', db));

    expect((await ends.events(2)).map(({ data }) => data.anomaly.metric)).toEqual(['web-1.cpu', 'db-1.cpu']);
    await ofDb.events(2);
    expect(types(ends)).toEqual(['anomaly.closed', 'anomaly.closed']);
    expect(ofDb.received.map(({ event, data }) => [event, data.anomaly.metric])).toEqual([
      ['anomaly.opened', 'db-1.cpu'],
      ['anomaly.closed', 'db-1.cpu'],
    ]);
  });

  it('sends records according to the permissions of each caller', async () => {
    const metricId = await app.aMetric(orgId, 'web-1.cpu');
    const user = await app.aUser(orgId, 'Ann');
    const reader = await listen();
    const trainer = await listen('', { headers: { 'X-Session-Id': await app.aSession(user.id) } });
    await app.database.dataSource.query('UPDATE metric SET points = 5000, first_timestamp = $2 WHERE id = $1', [
      metricId,
      START - 10 * 86_400,
    ]);
    await record(anomaly('opened', metricId));

    expect((await reader.events(1))[0]!.data.anomaly.training).toMatchObject({
      trainable: false,
      trainable_status: 'not_permitted',
    });
    expect((await trainer.events(1))[0]!.data.anomaly.training).toMatchObject({ trainable: true });

    const patternId = await storePattern(app, { orgId, metricId, shape: bareShape(START - 86_400) });
    await app
      .get(Transactions)
      .run((tx) => app.get(PatternDirectoryService).announce(orgId, { created: [patternId] }, tx));
    expect((await reader.events(2))[1]!.data.pattern).toMatchObject({ id: patternId, deletable: false });
    expect((await trainer.events(2))[1]!.data.pattern).toMatchObject({ id: patternId, deletable: true });
  });
});

describe('a reconnecting client', () => {
  it('continues after its last event', async () => {
    const first = await listen();
    await touch(app, 3);
    const [, second] = await first.events(3);
    first.close();
    await touch(other, 2);

    const again = await listen('', { headers: { 'X-Auth-Token': token, 'Last-Event-ID': second!.id! } });
    expect((await again.events(3)).map(({ id }) => Number(id))).toEqual(
      [1, 2, 3].map((step) => Number(second!.id) + step),
    );
    const byParameter = await listen(`?last_event_id=${second!.id!}`);
    await byParameter.events(3);
    expect(types(byParameter)).toEqual(['org.updated', 'org.updated', 'org.updated']);
  });

  it('has a position before the first event', async () => {
    const first = await listen();
    await first.until(() => first.lastId !== undefined);
    first.close();
    await touch(app);
    const again = await listen(`?last_event_id=${first.lastId!}`);
    await again.events(1);
    expect(types(again)).toEqual(['org.updated']);
  });

  it('receives a resync event after too many or too old missed events, and continues from there', async () => {
    const first = await listen();
    await first.until(() => first.lastId !== undefined);
    // `lastId` changes with later events.
    const known = first.lastId!;
    await touch(app, 1001);
    const tooMany = await listen(`?last_event_id=${known}`);
    expect((await tooMany.events(1))[0]).toMatchObject({
      event: 'resync',
      data: { org_id: orgId, reason: 'too_many' },
    });

    app.clock.seconds += 601;
    await touch(app);
    await app.get(StreamLogRepository).dropExpired(app.clock.now(), 1000);
    const tooOld = await listen(`?last_event_id=${known}`);
    expect((await tooOld.events(1))[0]!.data).toMatchObject({ reason: 'too_old' });
    await touch(app);
    await tooOld.events(2);
    expect(types(tooOld)).toEqual(['resync', 'org.updated']);

    const unknown = await listen('?last_event_id=999999999');
    expect((await unknown.events(1))[0]!.data).toMatchObject({ reason: 'unknown_event' });
  });

  it('misses nothing after a long absence without events', async () => {
    await touch(app);
    const first = await listen();
    await first.until(() => first.lastId !== undefined);
    first.close();
    app.clock.seconds += 86_400;
    await app.get(StreamLogRepository).dropExpired(app.clock.now(), 1000);
    const again = await listen(`?last_event_id=${first.lastId!}`);
    await touch(app);
    await again.events(1);
    expect(types(again)).toEqual(['org.updated']);
  });
});

describe('a stream', () => {
  it('ends when its session ends', async () => {
    const user = await app.aUser(orgId, 'Ann');
    const session = await app.aSession(user.id);
    const [stream, here] = [await listen(`?session_id=${session}`), await listen()];
    await other.get(SessionService).end(session);

    await stream.over();
    expect(stream.received.at(-1)).toMatchObject({ event: 'end', data: { reason: 'credential_ended' } });
    expect(here.isOver).toBe(false);
  });

  it('ends when its token expires', async () => {
    const removed = await listen();
    await app.database.dataSource.query('UPDATE token SET valid_until = to_timestamp($2) WHERE org_id = $1', [
      orgId,
      START + 100,
    ]);
    app.clock.seconds += 101;
    await removed.over();
    expect(removed.received.at(-1)).toMatchObject({ event: 'end', data: { reason: 'credential_ended' } });
  });

  it('ends with its session, because it does not keep the session alive', async () => {
    const user = await app.aUser(orgId, 'Ann');
    const session = await app.aSession(user.id);
    const stream = await listen(`?session_id=${session}`);
    // Idle sessions expire after seven days.
    for (let day = 0; day < 8; day++) app.clock.seconds += 86_400;
    await stream.over();
    expect(stream.received.at(-1)).toMatchObject({ event: 'end' });
  });
});

describe('limits of streams', () => {
  it('count per token and per organisation, over all processes', async () => {
    const mine = [];
    for (let i = 0; i < 5; i++) mine.push(await listen('', { on: i % 2 === 0 ? app : other }));
    const refused = await other.call('get', '/stream', { token });
    expect(refused).toMatchObject({ status: 429, data: { error: { code: 'rate_limited' } } });
    expect(refused.headers['retry-after']).toBeDefined();

    const second = { 'X-Auth-Token': await app.aToken(orgId, Permission.Read) };
    for (let i = 0; i < 2; i++) await listen('', { headers: second });
    await expect(listen('', { headers: second })).rejects.toThrow('429');

    mine[0]!.close();
    for (;;) {
      try {
        await listen('', { headers: second });
        break;
      } catch {
        // The server notices the disconnect a moment later.
      }
    }
    expect(app.get(StreamService).size + other.get(StreamService).size).toBe(7);
  });

  it('reject callers without read permission, and unknown types', async () => {
    const sender = await app.aToken(orgId, Permission.Ingest);
    expect(await app.call('get', '/stream', { token: sender })).toMatchObject({
      status: 403,
      data: { error: { code: 'permission_denied' } },
    });
    expect((await app.call('get', '/stream', {})).status).toBe(401);
    expect((await app.call('get', '/stream?types=nothing', { token })).status).toBe(400);
  });
});

// Last: the second application stays in this state.
describe('a process that stops', () => {
  it('ends its streams, and those that begin afterwards', async () => {
    const before = await listen('', { on: other });
    other.get(StreamService).beforeApplicationShutdown();
    await before.over();
    const after = await listen('', { on: other });
    await after.over();
    expect([before.received.at(-1), after.received.at(-1)]).toMatchObject([
      { event: 'end', data: { reason: 'server_stopping' } },
      { event: 'end', data: { reason: 'server_stopping' } },
    ]);
    expect(other.get(StreamService).size).toBe(0);
  });
});
