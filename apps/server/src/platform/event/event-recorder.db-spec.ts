import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { Transactions } from '../../common/database/transactions.js';
import { EventRecorderService } from './event-recorder.service.js';
import { EventRecordingRepository } from './event-recording.repository.js';
import { byUser, ofMetric } from './event.functions.js';
import { EVENTS_KEPT_SECONDS, type OrgEvent } from './event.types.js';

let database: TestDatabase;
let repository: EventRecordingRepository;
let recorder: EventRecorderService;
let orgId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  repository = new EventRecordingRepository(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(async () => {
  recorder = new EventRecorderService(repository, new HandClock());
  await database.dataSource.query('DELETE FROM org');
  orgId = await insertOrg();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await recorder.onApplicationShutdown();
});

async function insertOrg(): Promise<number> {
  const rows = await database.dataSource.query<{ id: number }[]>(`INSERT INTO org (name) VALUES ('Test') RETURNING id`);
  return rows[0]!.id;
}

function stored(): Promise<Record<string, unknown>[]> {
  return database.dataSource.query(
    `SELECT org_id, extract(epoch FROM happened_at)::float8 AS at, type, level, title, text, user_id, metric_id, metric,
            anomaly_id, watcher_id, ref_kind, ref_id, details FROM org_event ORDER BY id`,
  );
}

describe('EventRecorderService', () => {
  it('writes recorded events in order, with the name of the metric', async () => {
    const [metric] = await database.dataSource.query<{ id: number }[]>(
      `INSERT INTO metric (org_id, name, name_hash, display_name, type, aggregation, source)
       VALUES ($1, 'a.b', $2, 'a.b', 'gauge', 'last', 'http') RETURNING id`,
      [orgId, createHash('sha256').update('a.b').digest()],
    );
    const metricId = metric!.id;
    recorder.record({ orgId, type: 'metric_created', level: 'info', message: 'a.b is new.', metricId });
    recorder.record({
      orgId,
      type: 'ingest_refused',
      level: 'warning',
      title: 'Refused',
      message: '2 points were refused.',
      metric: 'x',
      userId: 3,
      anomalyId: 4,
      watcherId: 5,
      ref: { kind: 'token', id: '7' },
      details: { reasons: { too_old: 2 } },
      timestamp: START - 60,
    });
    await recorder.flush();
    const nothing = { user_id: null, anomaly_id: null, watcher_id: null, ref_kind: null, ref_id: null, details: {} };
    expect(await stored()).toEqual([
      {
        ...nothing,
        org_id: orgId,
        at: START + 0.25,
        type: 'metric_created',
        level: 'info',
        title: 'Metric created',
        text: 'a.b is new.',
        metric_id: metricId,
        metric: 'a.b',
      },
      {
        org_id: orgId,
        at: START - 60,
        type: 'ingest_refused',
        level: 'warning',
        title: 'Refused',
        text: '2 points were refused.',
        user_id: 3,
        metric_id: null,
        metric: 'x',
        anomaly_id: 4,
        watcher_id: 5,
        ref_kind: 'token',
        ref_id: '7',
        details: { reasons: { too_old: 2 } },
      },
    ]);
  });

  it('writes texts with the names of the metric and the user', async () => {
    const [user, other] = await Promise.all(
      ['Ann', ''].map(async (name) => {
        const rows = await database.dataSource.query<{ id: number }[]>(
          `INSERT INTO user_account (org_id, name, state) VALUES ($1, $2, 'active') RETURNING id`,
          [orgId, name],
        );
        return rows[0]!.id;
      }),
    );
    const stranger = await insertOrg();
    const event: OrgEvent = {
      ...{ orgId, type: 'custom', level: 'info' },
      message: (names) => `The anomaly${ofMetric(names)} was acknowledged${byUser(names)}.`,
    };
    recorder.record({ ...event, metric: 'a.b', userId: user! });
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'Another.' });
    recorder.record({ ...event, metric: 'a.b', userId: other! });
    recorder.record({ ...event, metricId: 987_654 });
    recorder.record({ ...event, orgId: stranger, metric: 'a.b', userId: user! });
    await recorder.flush();
    expect((await stored()).map(({ text }) => text)).toEqual([
      'The anomaly of a.b was acknowledged by Ann.',
      'Another.',
      `The anomaly of a.b was acknowledged by User ${String(other)}.`,
      'The anomaly was acknowledged.',
      'The anomaly of a.b was acknowledged.',
    ]);
  });

  it('writes the event of a transaction after its commit, and none after a rollback', async () => {
    const transactions = new Transactions(database.dataSource);
    const write = (name: string, message: string, end: () => void) =>
      transactions.run(async (tx) => {
        await tx.query('UPDATE org SET name = $2 WHERE id = $1', [orgId, name]);
        recorder.record({ orgId, type: 'custom', level: 'info', message }, tx);
        await recorder.flush();
        end();
      });
    const failing = write('No', 'Rolled back.', () => {
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await write('Yes', 'Committed.', () => undefined);
    await recorder.flush();
    expect(await stored()).toMatchObject([{ text: 'Committed.' }]);
  });

  it('flushes automatically within seconds', async () => {
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'x' });
    const deadline = Date.now() + 5000;
    while ((await stored()).length === 0 && Date.now() < deadline) await new Promise((done) => setTimeout(done, 50));
    expect(await stored()).toHaveLength(1);
  });

  it('keeps all events while the database is unreachable', async () => {
    const insert = jest.spyOn(repository, 'insert').mockRejectedValueOnce(new Error('connection refused'));
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'first' });
    await recorder.flush();
    expect(insert).toHaveBeenCalledTimes(1);
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'second' });
    await recorder.flush();
    expect((await stored()).map(({ text }) => text)).toEqual(['first', 'second']);
  });

  it('replaces a rejected event by a warning, and drops events of deleted organisations', async () => {
    for (const [message, metricId] of [
      ['one', 1],
      ['refused', 2 ** 40],
      ['two', 1],
    ] as const)
      recorder.record({ orgId, type: 'alert_sent', level: 'info', message, metricId });
    recorder.record({ orgId: orgId + 1, type: 'custom', level: 'info', message: 'nobody' });
    await recorder.flush();
    expect((await stored()).map(({ title, level, text }) => [title, level, text])).toEqual([
      ['Alert sent', 'info', 'one'],
      ['Events are missing', 'warning', 'An event of the type alert_sent is missing here: the database refused it.'],
      ['Alert sent', 'info', 'two'],
    ]);
  });

  it('replaces characters that the database cannot store', async () => {
    const details = { name: 'cut \ud83d', list: ['\u0000', { '\u0000': 1 }], count: 2 };
    recorder.record({ orgId, type: 'custom', level: 'info', message: 'zero \u0000, whole 😀, half \ude00', details });
    await recorder.flush();
    expect(await stored()).toMatchObject([
      {
        text: 'zero \ufffd, whole 😀, half \ufffd',
        details: { name: 'cut \ufffd', list: ['\ufffd', { '\ufffd': 1 }], count: 2 },
      },
    ]);
  });

  it('reports the number of lost events', async () => {
    const insert = jest.spyOn(repository, 'insert').mockRejectedValue(new Error('connection refused'));
    for (let i = 0; i < 20_003; i++) recorder.record({ orgId, type: 'custom', level: 'info', message: 'x' });
    await recorder.flush();
    insert.mockRestore();
    await recorder.flush();
    expect((await stored()).map(({ text }) => text).filter((text) => text !== 'x')).toEqual([
      '3 events are missing here: too many arrived while the database was unavailable.',
    ]);
  });

  it('writes thousands of events', async () => {
    for (let i = 0; i < 2500; i++) recorder.record({ orgId, type: 'custom', level: 'info', message: String(i) });
    await recorder.beforeApplicationShutdown();
    expect((await stored()).map(({ text }) => Number(text))).toEqual(Array.from({ length: 2500 }, (_, i) => i));
  });

  it('deletes expired events in batches', async () => {
    for (const timestamp of [START - 3, START - 2, START - 1, START]) {
      recorder.record({ orgId, type: 'custom', level: 'info', message: String(timestamp), timestamp });
    }
    await recorder.flush();
    expect(await repository.dropExpired(START + EVENTS_KEPT_SECONDS, 2)).toBe(2);
    expect(await repository.dropExpired(START + EVENTS_KEPT_SECONDS, 2)).toBe(1);
    expect((await stored()).map(({ at }) => at)).toEqual([START]);
  });
});
