import { Permission } from '#libs/contracts';
import { type AnomalyEvent, DETECTOR_VERSION, detectSeries } from '#libs/detection';
import { seededRandom } from '#libs/synthetic';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { Transactions } from '../../common/database/transactions.js';
import { AnomalyRecordingService } from './anomaly-recording.service.js';
import { AnomalyVerdictsService } from './anomaly-verdicts.service.js';

const MINUTE = 60;
const DAY = 86_400;
const DAYS = 3;
/** The start of the last slot. */
const NOW = START - (START % MINUTE);
/** The first two look alike, the third is a drop. */
const FAULTS = [
  { start: NOW - 40 * 3600, size: 60 },
  { start: NOW - 26 * 3600, size: 45 },
  { start: NOW - 12 * 3600, size: -50 },
];

describe('explanations of anomalies', () => {
  let app: MetricApp;
  let token: string;
  let orgId: number;
  let metricId: number;
  let ids: number[];
  let events: AnomalyEvent[];
  let timestamps: Float64Array;
  let values: Float64Array;

  beforeAll(async () => {
    app = await MetricApp.create({ env: { PLUMBLINE_ROLES: 'api,ingest' } });
    ({ id: orgId } = await app.anOrg({ timezone: 'Europe/Oslo' }));
    token = await app.aToken(orgId, Permission.Read);
    metricId = await app.aMetric(orgId, 'web-1.cpu');
    const random = seededRandom(7);
    const begin = NOW - DAYS * DAY;
    timestamps = Float64Array.from({ length: DAYS * 1440 }, (_, row) => begin + row * MINUTE);
    values = timestamps.map((time) => {
      const noise = random() + random() + random() + random();
      const fault = FAULTS.find(({ start }) => time >= start && time < start + 8 * MINUTE);
      return 100 + noise + (fault?.size ?? 0);
    });
    await app.series.write({ ids: new Uint32Array(timestamps.length).fill(metricId), timestamps, values });
    await app.database.dataSource.query('UPDATE metric SET first_timestamp = $2, last_timestamp = $3 WHERE id = $1', [
      metricId,
      begin,
      timestamps.at(-1),
    ]);
    // In the time zone of the organisation, as the product does it.
    events = detectSeries(timestamps, values, {
      type: 'gauge',
      slotSeconds: MINUTE,
      timezone: 'Europe/Oslo',
      seriesId: metricId,
    }).anomalies.map((event) => ({ ...event, backfill: false }));
    for (const { start } of FAULTS) {
      await record(events.filter(({ startTimestamp }) => startTimestamp === start));
      await accountForAll();
    }
    const rows: { id: number }[] = await app.database.dataSource.query(
      'SELECT id FROM anomaly ORDER BY start_timestamp',
    );
    ids = rows.map(({ id }) => id);
  });
  afterAll(() => app.close());

  const record = async (some: readonly AnomalyEvent[]): Promise<void> => {
    await app.get(Transactions).run((tx) => app.get(AnomalyRecordingService).record(some, tx));
  };

  /** The product does the same in the background. */
  async function accountForAll(): Promise<void> {
    const isMissing = async (): Promise<boolean> => {
      const rows: unknown[] = await app.database.dataSource.query(
        `SELECT 1 FROM anomaly a JOIN anomaly_verdict v ON v.anomaly_id = a.id
         WHERE NOT a.backfill AND (v.is_due OR v.parameters IS NULL)`,
      );
      return rows.length > 0;
    };
    while (await isMissing()) await app.get(AnomalyVerdictsService).run();
  }

  const verdictOf = async (id: number) =>
    (await app.database.dataSource.query('SELECT * FROM anomaly_verdict WHERE anomaly_id = $1', [id]))[0];

  const textsOf = async (id: number): Promise<string[]> => {
    const { data } = await app.call('get', `/anomaly/${String(id)}`, { token });
    return data.anomaly.explanation.map(({ text }: { text: string }) => text);
  };

  it('record the detector version', async () => {
    expect(ids).toHaveLength(3);
    expect(await verdictOf(ids[2]!)).toMatchObject({ detector_version: DETECTOR_VERSION });
  });

  it('are reproduced from the stored window, parameters and score parts', async () => {
    for (const [index, id] of ids.entries()) {
      const verdict = await verdictOf(id);
      const { start } = FAULTS[index]!;
      expect(verdict).toMatchObject({
        is_reproduced: true,
        parameters: { type: 'gauge', slotSeconds: MINUTE, timezone: 'Europe/Oslo' },
        from_timestamp: timestamps[0],
      });
      expect(Object.keys(verdict.parts)).toContain('three_rows');
      // The same window, read with the stored parameters.
      const rows = [...timestamps.keys()].filter(
        (row) => timestamps[row]! >= verdict.from_timestamp && timestamps[row]! <= verdict.until_timestamp,
      );
      const again = detectSeries(
        Float64Array.from(rows, (row) => timestamps[row]!),
        Float64Array.from(rows, (row) => values[row]!),
        { ...verdict.parameters, seriesId: metricId },
      ).anomalies.find(({ startTimestamp }) => startTimestamp === start);
      const recorded = events.find(({ startTimestamp }) => startTimestamp === start)!;
      expect(again).toEqual({ ...recorded, type: again!.type, backfill: true, ...late(again!) });
    }
  });

  /** Members that an anomaly has only after it has ended. */
  const late = ({
    endTimestamp,
    closeReason,
    peakTimestamp,
    peakValue,
    score,
    severity,
    kind,
    explanation,
  }: AnomalyEvent) => ({
    ...{ endTimestamp, closeReason, peakTimestamp, peakValue, score, severity, kind, explanation },
  });

  it('state the limit that would have prevented the anomaly, and this limit is correct', async () => {
    for (const [index, id] of ids.entries()) {
      const { start, size } = FAULTS[index]!;
      const explanation = (await textsOf(id)).find((text) => text.startsWith('It would not have opened'))!;
      const [, side, limit] = /^It would not have opened (below|above) (\d+(?:\.\d+)?)/.exec(explanation)!;
      expect(side).toBe(size > 0 ? 'below' : 'above');
      const opensWith = (bound: number): boolean => {
        const changed = values.map((value, row) => {
          const isFault = timestamps[row]! >= start && timestamps[row]! < start + 8 * MINUTE;
          return isFault ? (size > 0 ? Math.min(value, bound) : Math.max(value, bound)) : value;
        });
        const { anomalies } = detectSeries(timestamps, changed, { type: 'gauge', slotSeconds: MINUTE });
        return anomalies.some(({ startTimestamp: at }) => at >= start && at < start + 8 * MINUTE);
      };
      expect(opensWith(Number(limit))).toBe(false);
      expect(opensWith(Number(limit) + 0.04 * size)).toBe(true);
    }
  });

  it('refer to the nearest earlier anomaly of the metric with its date if its shape is similar', async () => {
    const [first, second, third] = await Promise.all(ids.map((id) => textsOf(id)));
    expect(second!.at(-1)).toMatch(
      /^Most like the earlier anomaly of \w+ \d+\w\w \d{4}, \d\d:\d\d \(\w+( \w+)*, 9\d % alike in shape\)\.$/,
    );
    for (const texts of [first!, third!]) expect(texts.join(' ')).not.toMatch(/Most like/);
    const { data } = await app.call('get', `/anomaly/${String(ids[1])}`, { token });
    const named = data.anomaly.explanation.map((item: { test: string; anomaly_id: number | null }) => [
      item.test === 'look_alike',
      item.anomaly_id,
    ]);
    expect(named.at(-1)).toEqual([true, ids[0]]);
    for (const [, id] of named.slice(0, -1)) expect(id).toBeNull();
  });

  it('are included in lists', async () => {
    const { data } = await app.call('get', '/anomalies?from=' + String(START - 3 * DAY), { token });
    for (const { explanation } of data.anomalies) {
      expect(explanation.map(({ test }: { test: string }) => test)).toContain('counterfactual');
      expect(explanation.length).toBeLessThanOrEqual(10);
    }
  });

  it('of backfilled history are computed on the first read', async () => {
    await app.database.dataSource.query('DELETE FROM anomaly WHERE org_id = $1', [orgId]);
    await record(events.map((event) => ({ ...event, backfill: true })));
    await accountForAll();
    const rows: { id: number }[] = await app.database.dataSource.query('SELECT id FROM anomaly ORDER BY id');
    expect(await verdictOf(rows[0]!.id)).toMatchObject({ parameters: null });
    expect((await textsOf(rows[0]!.id)).join(' ')).toMatch(/would not have opened below/);
  });

  it('are not accessible to other organisations', async () => {
    const { id: other } = await app.anOrg();
    const { status } = await app.call('get', `/anomaly/${String(ids[0])}`, {
      token: await app.aToken(other, Permission.Read),
    });
    expect(status).toBe(404);
  });
});
