import { Permission } from '#libs/contracts';
import { type AnomalyEvent } from '#libs/detection';
import { START } from '../../../../../test/support/hand-clock.js';
import { PointApp } from '../../../../../test/support/point-app.js';
import { Transactions } from '../../common/database/transactions.js';
import { AnomalyRecordingService } from './anomaly-recording.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type AnomalyChanged, AnomalyEvents } from './anomaly.events.js';

const DAY = 86_400;

describe('anomalies', () => {
  let app: PointApp;
  let orgId: number;
  let token: string;
  let readToken: string;
  let changes: AnomalyChanged[];

  beforeAll(async () => {
    app = await PointApp.create({ env: { PLUMBLINE_ROLES: 'api,ingest' } });
    app.get(AnomalyEvents).subscribe((change) => void changes.push(change));
  });

  afterAll(() => app.close());

  beforeEach(async () => {
    changes = [];
    ({ id: orgId } = await app.anOrg({ timezone: 'Europe/Oslo' }));
    token = await app.aToken(orgId, Permission.Read, Permission.Write);
    readToken = await app.aToken(orgId, Permission.Read);
  });

  let names = 0;
  async function aMetric(
    name = `metric-${String(++names)}`,
    overrides: { first?: number; points?: number } = {},
  ): Promise<number> {
    const [{ id }] = await app.database.dataSource.query(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source, first_timestamp, points)
       VALUES ($1, $2, sha256(convert_to($2, 'UTF8')), $2, '{"job":"api"}', 'gauge', 'last', 'http', $3, $4) RETURNING id`,
      [orgId, name, overrides.first ?? START - 40 * DAY, overrides.points ?? 50_000],
    );
    return id;
  }

  function anEvent(seriesId: number, overrides: Partial<AnomalyEvent> = {}): AnomalyEvent {
    return {
      type: 'opened',
      seriesId,
      startTimestamp: START - 600,
      endTimestamp: null,
      outUntilTimestamp: null,
      peakTimestamp: START - 600,
      backfill: false,
      value: 8421.5,
      peakValue: 8421.5,
      expected: 4100,
      lower: 3350.5,
      upper: 4870,
      score: 0.82,
      severity: 64,
      rarityDays: 121.7,
      kind: 'spike',
      explanation: [
        {
          test: 'robust_deviation',
          score: 0.91,
          observed: 8421.5,
          expected: 4100,
          timestamp: START - 600,
          text: 'far above',
        },
      ],
      closeReason: null,
      ...overrides,
    };
  }

  const closed = (event: AnomalyEvent, overrides: Partial<AnomalyEvent> = {}): AnomalyEvent => ({
    ...event,
    type: 'closed',
    endTimestamp: event.startTimestamp + 300,
    outUntilTimestamp: event.startTimestamp + 360,
    closeReason: 'recovered',
    ...overrides,
  });

  async function record(...events: AnomalyEvent[]): Promise<void> {
    const recorder = app.get(AnomalyRecordingService);
    await app.get(Transactions).run((tx) => recorder.record(events, tx));
  }

  async function get(path: string, credential = token, status = 200) {
    const answer = await app.http().get(`/api${path}`).set('X-Auth-Token', credential).expect(status);
    return answer.body.data;
  }

  const rows = (): Promise<Record<string, unknown>[]> =>
    app.database.dataSource.query('SELECT * FROM anomaly WHERE org_id = $1 ORDER BY id', [orgId]);

  describe('recording events', () => {
    it('stores one row from opening to closing, and notifies subscribers of each step', async () => {
      const event = anEvent(await aMetric());
      await record(event);
      await record({ ...event, type: 'updated', score: 0.9, severity: 70 });
      await record(closed(event, { score: 0.9, severity: 70 }));
      expect(await rows()).toMatchObject([
        { state: 'resolved', close_reason: 'recovered', score: 0.9, end_timestamp: START - 300 },
      ]);
      expect(changes.map(({ type }) => type)).toEqual(['opened', 'updated', 'closed']);
    });

    it('changes no row and notifies no subscriber when events are repeated', async () => {
      const event = anEvent(await aMetric());
      await record(event, closed(event));
      const before = await rows();
      await record(closed(event));
      expect(await rows()).toEqual(before);
      expect(changes.map(({ type }) => type)).toEqual(['opened', 'closed']);
    });

    it.each([
      ['missing_data', 'the metric sends data again'],
      ['flatline', 'the values change again'],
    ] as const)('records how a metric came back from %s', async (kind, how) => {
      const event = anEvent(await aMetric(), { kind });
      await record(event, closed(event));
      await app.get(EventRecorderService).flush();
      const events: { text: string }[] = await app.database.dataSource.query(
        `SELECT text FROM org_event WHERE org_id = $1 AND type = 'anomaly_closed'`,
        [orgId],
      );
      expect(events).toEqual([{ text: expect.stringMatching(new RegExp(`; it is over: ${how}\\.$`)) }]);
    });

    it('records organisation events for opening and closing, but not for backfilled history', async () => {
      const id = await aMetric('web-1.cpu');
      await record(anEvent(id, { startTimestamp: START - DAY, backfill: true }));
      await record(anEvent(id));
      await record({ ...anEvent(id), type: 'updated', score: 0.9, severity: 70 });
      await record(closed(anEvent(id), { severity: 70 }));
      const late = anEvent(id, { startTimestamp: START - 60, value: null, kind: 'missing_data' });
      await record(late);
      await app.get(AnomalyRecordingService).close(orgId, [id], 'data_ended', START);
      await app.get(EventRecorderService).flush();
      const events: Record<string, unknown>[] = await app.database.dataSource.query(
        `SELECT type, level, text, anomaly_id, metric_id, metric, details FROM org_event
         WHERE org_id = $1 AND type LIKE 'anomaly%' ORDER BY id`,
        [orgId],
      );
      const [, shown, last] = (await rows()).map((row) => row.id);
      const eventOf = (type: string, level: string, text: string, anomaly: unknown) =>
        expect.objectContaining({
          type,
          level,
          text,
          anomaly_id: anomaly,
          metric_id: id,
          metric: 'web-1.cpu',
        }) as object;
      expect(events).toEqual([
        eventOf(
          'anomaly_opened',
          'alert',
          'web-1.cpu spiked to 8422 (usual 3351 to 4870); severity 64 (major).',
          shown,
        ),
        eventOf(
          'anomaly_closed',
          'info',
          'web-1.cpu spiked to 8422 (usual 3351 to 4870); it is over: the values are as expected again.',
          shown,
        ),
        eventOf('anomaly_opened', 'alert', 'web-1.cpu has had no data since 10:52; severity 64 (major).', last),
        eventOf(
          'anomaly_closed',
          'info',
          'web-1.cpu had no data from 10:52 to 10:53; it is over: there is no further data to judge.',
          last,
        ),
      ]);
      expect(events[1]!.details).toEqual({
        kind: 'spike',
        severity: 70,
        timestamp: START - 600,
        until_timestamp: START - 300,
        out_until_timestamp: START - 240,
        close_reason: 'recovered',
      });
    });

    it('does not overwrite members set by users', async () => {
      const event = anEvent(await aMetric());
      await record(event);
      await app.database.dataSource.query(
        `UPDATE anomaly SET state = 'trained', close_reason = 'trained', positive = true, acknowledge_note = 'mine' WHERE org_id = $1`,
        [orgId],
      );
      await record(closed(event));
      expect(await rows()).toMatchObject([
        {
          state: 'trained',
          close_reason: 'trained',
          positive: true,
          acknowledge_note: 'mine',
          end_timestamp: START - 300,
        },
      ]);
    });

    it('drops events of an erased metric', async () => {
      await record(anEvent(2_000_000_000));
      expect(changes).toEqual([]);
    });
  });

  describe('anomaly records', () => {
    it('have the unit of the metric, and a rate unit for counters and rates', async () => {
      const units = [];
      for (const [type, unit] of [
        ['gauge', 'ms'],
        ['gauge', null],
        ['counter', 'bytes'],
        ['counter', null],
        ['rate', 'By'],
        ['rate', 'By/s'],
      ] as const) {
        const metricId = await aMetric(`${type}.${unit ?? 'none'}`);
        await app.database.dataSource.query('UPDATE metric SET type = $2, unit = $3 WHERE id = $1', [
          metricId,
          type,
          unit,
        ]);
        await record(closed(anEvent(metricId)));
        const { anomalies } = await get(`/metric/${type}.${encodeURIComponent(unit ?? 'none')}/anomalies`);
        units.push(anomalies[0].unit);
      }
      expect(units).toEqual(['ms', null, 'bytes/s', '/s', 'By/s', 'By/s']);
    });

    it('have all members of the API contract', async () => {
      const metricId = await aMetric('web-1.eth0.tx/byte');
      await record(closed(anEvent(metricId)));
      const { anomalies } = await get('/anomalies');
      expect(anomalies).toEqual([
        {
          id: expect.any(Number),
          metric_id: metricId,
          metric: 'web-1.eth0.tx/byte',
          value: 8421.5,
          unit: null,
          peak_timestamp: START - 600,
          peak_value: 8421.5,
          timestamp: START - 600,
          timestamp_string: 'October 9th 2025, 10:43',
          until_timestamp: START - 300,
          out_until_timestamp: START - 240,
          score: 0.82,
          training: {
            trainable: true,
            trainable_status: 'trainable',
            trainable_until_timestamp: START - 600 + 30 * DAY,
            '30_day_trainable_from_timestamp': START - 600,
            '30_day_trainable_in': 0,
            trainable_from_timestamp: START - 600,
            durations: [DAY, 7 * DAY, 30 * DAY],
          },
          patterns: [],
          unconfirmed: false,
          positive: false,
          expected_range_lower: 3350.5,
          expected_range_upper: 4870,
          expected_range_lower_string: '3350.5',
          expected_range_upper_string: '4870',
          pending_patterns: [],
          state: 'resolved',
          close_reason: 'recovered',
          kind: 'spike',
          severity: 64,
          severity_label: 'major',
          rarity_months: 4.1,
          explanation: [
            {
              anomaly_id: null,
              test: 'robust_deviation',
              score: 0.91,
              observed: 8421.5,
              expected: 4100,
              timestamp: START - 600,
              text: 'far above',
            },
          ],
          acknowledged_by: null,
          acknowledged_by_display_name: null,
          acknowledged_at: null,
          acknowledge_note: null,
          incident_id: null,
          anomaly_graph_url: `https://plumbline.example.org/api/metric/web-1.eth0.tx%2Fbyte/graph?from=${String(START - DAY)}&until=${String(START)}`,
        },
      ]);
    });

    it('state why an anomaly cannot be trained', async () => {
      const status = async (
        event: Partial<AnomalyEvent>,
        metric: { first?: number; points?: number },
        credential = token,
      ) => {
        const id = await aMetric(undefined, metric);
        await record(anEvent(id, event));
        const { anomalies } = await get(
          `/anomalies?metric=id:${String(id)}&from=${String(START - 60 * DAY)}`,
          credential,
        );
        return anomalies[0].training;
      };
      expect(await status({}, { first: START - 3600 })).toMatchObject({
        trainable: false,
        trainable_status: 'too_new',
        trainable_from_timestamp: START - 3600 + DAY,
        durations: [],
      });
      expect(await status({}, { points: 99 })).toMatchObject({ trainable_status: 'not_enough_data' });
      expect(await status({ startTimestamp: START - 31 * DAY }, {})).toMatchObject({ trainable_status: 'expired' });
      expect(await status({}, {}, readToken)).toMatchObject({ trainable: false, trainable_status: 'not_permitted' });
      expect(await status({}, { first: START - 2 * DAY })).toMatchObject({
        trainable: true,
        '30_day_trainable_in': 28 * DAY,
        durations: [DAY],
      });
    });
  });

  describe('GET /anomalies', () => {
    it('supports every filter and order', async () => {
      const cpu = await aMetric('web-1.cpu');
      const mem = await aMetric('web-1.mem');
      await record(
        anEvent(cpu),
        closed(anEvent(cpu, { startTimestamp: START - 7200, kind: 'dip', score: 0.6, severity: 20 })),
        anEvent(mem, { startTimestamp: START - 1200, score: 0.95, severity: 90, kind: 'level_shift_up' }),
        closed(anEvent(mem, { startTimestamp: START - 3 * DAY })),
      );
      const found = async (query: string): Promise<number[]> =>
        (await get(`/anomalies?${query}`)).anomalies.map(({ timestamp }: { timestamp: number }) => START - timestamp);
      expect(await found('')).toEqual([600, 1200, 7200]);
      expect(await found('order=oldest')).toEqual([7200, 1200, 600]);
      expect(await found('order=score')).toEqual([1200, 600, 7200]);
      expect(await found('order=severity')).toEqual([1200, 600, 7200]);
      expect(await found(`from=${String(START - 4 * DAY)}`)).toEqual([600, 1200, 7200, 3 * DAY]);
      expect(await found(`from=${String(START - 4 * DAY)}&until=${String(START - 2 * DAY)}`)).toEqual([3 * DAY]);
      expect(await found('metric=web-1.cpu')).toEqual([600, 7200]);
      expect(await found('chips=mem')).toEqual([1200]);
      expect(await found('chips=job:api,-mem')).toEqual([600, 7200]);
      expect(await found('state=resolved')).toEqual([7200]);
      expect(await found('kind=dip,level_shift_up')).toEqual([1200, 7200]);
      expect(await found('score_min=0.9')).toEqual([1200]);
      expect(await found('severity_min=64')).toEqual([600, 1200]);
      expect(await found('positive=true')).toEqual([]);
      expect(await found('acknowledged=false')).toEqual([600, 1200, 7200]);
      expect(await found('trainable=true')).toEqual([600, 1200, 7200]);
      expect(await found('trainable=false')).toEqual([]);
      // Without the permission to train, no anomaly counts as trainable, as in its records.
      const asReader = async (query: string) =>
        (await get(`/anomalies?${query}`, readToken)).anomalies.map(
          ({ training }: { training: { trainable: boolean } }) => training.trainable,
        );
      expect(await asReader('trainable=true')).toEqual([]);
      expect(await asReader('trainable=false')).toEqual([false, false, false]);
    });

    it('returns a page and the total', async () => {
      const id = await aMetric();
      await record(...[1, 2, 3, 4, 5].map((i) => closed(anEvent(id, { startTimestamp: START - i * 1000 }))));
      const data = await get('/anomalies?limit=2&offset=2');
      expect(data).toMatchObject({ total: 5, limit: 2, offset: 2, from: START - DAY, until: START });
      expect(data.anomalies.map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual([
        START - 3000,
        START - 4000,
      ]);
    });

    it('returns 404 for an unknown incident, watcher or metric, and names the parameter', async () => {
      const incident = await get('/anomalies?incident_id=1', token, 404);
      expect(incident.error).toMatchObject({ code: 'not_found', details: [{ field: 'incident_id' }] });
      expect((await get('/anomalies?watcher_id=1', token, 404)).error.details[0].field).toBe('watcher_id');
      expect((await get('/anomalies?metric=nothing', token, 404)).error.details[0].field).toBe('metric');
    });

    it('reports all invalid parameters together', async () => {
      const { error } = await get('/anomalies?state=shut&score_min=2&order=best&from=5', token, 400);
      expect(error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
        'from',
        'order',
        'score_min',
        'state',
      ]);
    });

    it('accepts POST with the same result', async () => {
      await record(anEvent(await aMetric()));
      const answer = await app
        .http()
        .post('/api/anomalies')
        .set('X-Auth-Token', token)
        .send({ state: ['open'] })
        .expect(200);
      expect(answer.body.data.anomalies).toHaveLength(1);
    });

    it('returns no anomalies of other organisations', async () => {
      await record(anEvent(await aMetric()));
      const id = (await rows())[0]?.id;
      const stranger = await app.aToken((await app.anOrg()).id, Permission.Read);
      expect((await get('/anomalies', stranger)).anomalies).toEqual([]);
      await get(`/anomaly/${String(id)}`, stranger, 404);
    });
  });

  describe('GET /anomaly/{id}', () => {
    it('returns anomalies that started within two minutes as related', async () => {
      const [one, near, far] = [await aMetric(), await aMetric(), await aMetric()];
      await record(
        anEvent(one),
        anEvent(near, { startTimestamp: START - 600 + 120 }),
        anEvent(far, { startTimestamp: START - 600 + 121 }),
      );
      const id = (await rows())[0]?.id;
      const data = await get(`/anomaly/${String(id)}`);
      expect(data).toMatchObject({ anomaly: { id }, incident: null, related_matches: [], alerts: [] });
      expect(data.anomaly_graph_url).toBe(data.anomaly.anomaly_graph_url);
      expect(data.related_anomalies).toEqual([
        {
          id: expect.any(Number),
          metric_id: near,
          metric: expect.any(String),
          timestamp: START - 480,
          timestamp_string: 'October 9th 2025, 10:45',
          until_timestamp: null,
          out_until_timestamp: null,
          score: 0.82,
          severity: 64,
          kind: 'spike',
          state: 'open',
        },
      ]);
    });

    it.each(['0', 'x', '99999999', '99999999999', '1.5'])('returns 404 for id %s', (id) =>
      get(`/anomaly/${id}`, token, 404),
    );
  });

  describe('the end of an anomaly', () => {
    const endsOf = async (query = '') =>
      (await get(`/anomalies?order=oldest${query}`)).anomalies.map((one: Record<string, unknown>) => [
        one.until_timestamp,
        one.out_until_timestamp,
      ]);

    it('is the end of its last anomalous slot: one point out of range is one interval long', async () => {
      const event = anEvent(await aMetric('web-1.cpu'));
      const { startTimestamp: start } = event;
      await record(event, closed(event, { endTimestamp: start, outUntilTimestamp: start + 60 }));
      expect(await endsOf()).toEqual([[start, start + 60]]);
      const { metrics } = await get('/metrics/mostanomalous');
      expect(metrics).toMatchObject([{ anomalous_seconds: 60 }]);
    });

    it('is known while it is open, once its values are normal again', async () => {
      const event = anEvent(await aMetric('web-1.cpu'));
      await record(event);
      expect(await endsOf()).toEqual([[null, null]]);
      await record({ ...event, type: 'updated', outUntilTimestamp: START - 420 });
      expect(await endsOf('&state=open')).toEqual([[null, START - 420]]);
      const { metrics } = await get('/metrics/mostanomalous');
      expect(metrics).toMatchObject([{ anomalous_seconds: 180, open_anomaly_count: 1 }]);
      expect((await get('/metric/web-1.cpu/anomalysummary')).summary.longest_seconds).toBe(180);
      await record({ ...event, type: 'updated', severity: 70 });
      expect(await endsOf()).toEqual([[null, null]]);
    });

    it('is a slot after the last anomalous point of those that were recorded without it', async () => {
      const id = await aMetric('web-1.cpu');
      await record(closed(anEvent(id), { outUntilTimestamp: null }));
      await app.database.dataSource.query('UPDATE metric SET resolution_seconds = 300 WHERE id = $1', [id]);
      expect(await endsOf()).toEqual([[START - 300, START]]);
    });

    it('does not move when its metric is excluded while the values are normal again', async () => {
      const event = anEvent(await aMetric('web-1.cpu'));
      await record({ ...event, outUntilTimestamp: START - 420 });
      await app.get(AnomalyRecordingService).close(orgId, [event.seriesId], 'excluded', START);
      expect(await endsOf()).toEqual([[START - 480, START - 420]]);
    });
  });

  describe('GET /anomaly/lookup', () => {
    it('finds an anomaly that covers the time, is adjacent to it or started near it', async () => {
      const id = await aMetric('web-1.cpu');
      await record(closed(anEvent(id)));
      const at = async (timestamp: number, status = 200) =>
        (await get(`/anomaly/lookup?metric=web-1.cpu&timestamp=${String(timestamp)}`, token, status)).anomaly
          ?.timestamp;
      expect(await at(START - 600)).toBe(START - 600);
      expect(await at(START - 400)).toBe(START - 600);
      expect(await at(START - 240)).toBe(START - 600);
      expect(await at(START - 720)).toBe(START - 600);
      expect(await at(START - 721, 404)).toBeUndefined();
    });

    it('requires an existing metric and a time', async () => {
      expect((await get('/anomaly/lookup?metric=nothing&timestamp=1700000000', token, 404)).error.code).toBe(
        'not_found',
      );
      const { error } = await get('/anomaly/lookup', token, 400);
      expect(error.details.map(({ field }: { field: string }) => field).sort()).toEqual(['metric', 'timestamp']);
    });
  });

  describe('endpoints of one metric', () => {
    it('list its anomalies', async () => {
      const id = await aMetric('web-1.cpu');
      await record(anEvent(id), anEvent(await aMetric()));
      const data = await get('/metric/web-1.cpu/anomalies');
      expect(data).toMatchObject({ metric: 'web-1.cpu', metric_id: id, total: 1, limit: 100, offset: 0 });
    });

    it('summarise its anomalies', async () => {
      const id = await aMetric('web-1.cpu');
      await record(
        anEvent(id),
        closed(anEvent(id, { startTimestamp: START - 3 * DAY, kind: 'dip' })),
        closed(anEvent(id, { startTimestamp: START - 40 * DAY }), {
          endTimestamp: START - 39 * DAY,
          outUntilTimestamp: null,
        }),
      );
      const { summary } = await get('/metric/web-1.cpu/anomalysummary?days=5');
      expect(summary).toEqual({
        total: 3,
        open: 1,
        last_24h: 1,
        last_7d: 2,
        last_30d: 2,
        trained: 0,
        positive: 0,
        acknowledged: 0,
        first_timestamp: START - 40 * DAY,
        last_timestamp: START - 600,
        last_string: '10 minutes ago',
        longest_seconds: DAY + 60,
        by_kind: { dip: 1, spike: 1 },
        per_day: [
          { date: '2025-10-05', count: 0 },
          { date: '2025-10-06', count: 1 },
          { date: '2025-10-07', count: 0 },
          { date: '2025-10-08', count: 0 },
          { date: '2025-10-09', count: 1 },
        ],
      });
    });

    it('return an empty summary without anomalies', async () => {
      await aMetric('web-1.cpu');
      const { summary } = await get('/metric/web-1.cpu/anomalysummary');
      expect(summary).toMatchObject({
        total: 0,
        first_timestamp: null,
        last_string: 'never',
        longest_seconds: null,
        by_kind: {},
      });
      expect(summary.per_day).toHaveLength(30);
    });

    it('return no expected range when there is not enough data', async () => {
      const id = await aMetric('web-1.cpu', { first: START - 3600, points: 60 });
      await record(anEvent(id));
      const data = await get('/metric/web-1.cpu/yhat');
      expect(data).toMatchObject({
        metric: 'web-1.cpu',
        metric_id: id,
        available: false,
        reason: 'not_enough_data',
        yhat: [],
      });
      expect(data.anomalous_periods).toEqual([{ from: START - 600, until: null, anomaly_id: expect.any(Number) }]);
    });
  });
});
