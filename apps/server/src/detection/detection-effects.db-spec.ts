import { type AnomalyEvent, type ShardOutput } from '#libs/detection';
import { START } from '../../../../test/support/hand-clock.js';
import { PointApp } from '../../../../test/support/point-app.js';
import { DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionEffects } from './detection-effects.service.js';
import { PartitionLostError } from './detection.errors.js';

const PARTITION = 3;
const SLOT = START - (START % 60);

describe('the effects of detection', () => {
  let app: PointApp;
  let metricId: number;
  let epoch: number;
  const never = new AbortController().signal;

  beforeAll(async () => {
    // Without the role nobody else works on the partition.
    app = await PointApp.create({ env: { PLUMBLINE_ROLES: 'api' } });
  });

  afterAll(() => app.close());

  let names = 0;
  beforeEach(async () => {
    const { id } = await app.anOrg();
    const [row] = await app.database.dataSource.query(
      `INSERT INTO metric (org_id, name, name_hash, display_name, type, aggregation, source)
       VALUES ($1, $2::text, sha256(convert_to($2::text, 'UTF8')), $2::text, 'gauge', 'last', 'http') RETURNING id`,
      [id, `metric-${String(++names)}`],
    );
    metricId = row.id;
    ({ epoch } = await app.get(DetectionCheckpointRepository).takeOver(PARTITION));
  });

  const anEvent = (overrides: Partial<AnomalyEvent> = {}): AnomalyEvent => ({
    type: 'opened',
    seriesId: metricId,
    startTimestamp: SLOT,
    endTimestamp: null,
    peakTimestamp: SLOT,
    backfill: false,
    value: 9,
    peakValue: 9,
    expected: 1,
    lower: 0,
    upper: 2,
    score: 0.8,
    severity: 60,
    kind: 'spike',
    explanation: [],
    closeReason: null,
    ...overrides,
  });

  const anOutput = (overrides: Partial<ShardOutput> = {}): ShardOutput => ({
    slots: { ids: Uint32Array.of(metricId), timestamps: Float64Array.of(SLOT), values: Float64Array.of(9) },
    events: [anEvent()],
    progress: [
      {
        id: metricId,
        firstTimestamp: SLOT,
        lastTimestamp: SLOT,
        lastValue: 9,
        points: 1,
        resolutionSeconds: null,
        seasonalPeriods: [],
        readiness: { range: false, daily: false, weekly: false },
      },
    ],
    scored: 1,
    skipped: { unknown: 0, unusable: 0 },
    ...overrides,
  });

  const store = (outputs: ShardOutput[], position = 10) =>
    app.get(DetectionEffects).store({ partition: PARTITION, epoch, position, outputs }, never);

  const anomalies = (): Promise<Record<string, unknown>[]> =>
    app.database.dataSource.query('SELECT * FROM anomaly WHERE metric_id = $1 ORDER BY start_timestamp', [metricId]);
  const appliedPosition = async (): Promise<number> =>
    (await app.get(DetectionCheckpointRepository).takeOver(PARTITION)).appliedPosition;

  it('are points, anomalies, the progress of the metric and the position, any number of times', async () => {
    for (let i = 0; i < 2; i++) await store([anOutput()]);
    const { values } = await app.series.readRaw(metricId, SLOT, SLOT);
    expect(values).toEqual(Float64Array.of(9));
    expect(await anomalies()).toHaveLength(1);
    const [metric] = await app.database.dataSource.query('SELECT last_value, points FROM metric WHERE id = $1', [
      metricId,
    ]);
    expect(metric).toEqual({ last_value: 9, points: 1 });
    expect(await appliedPosition()).toBe(10);
  });

  it('keep the last value of a slot that comes twice', async () => {
    const slots = { ids: Uint32Array.of(metricId), timestamps: Float64Array.of(SLOT), values: Float64Array.of(7) };
    await store([anOutput(), anOutput({ slots, events: [], progress: [] })]);
    const { values } = await app.series.readRaw(metricId, SLOT, SLOT);
    expect(values).toEqual(Float64Array.of(7));
  });

  it('are not held up by one row that the database refuses', async () => {
    const impossible = anEvent({ startTimestamp: SLOT + 60, severity: 1e9 });
    await store([anOutput({ events: [anEvent(), impossible, anEvent({ startTimestamp: SLOT + 120 })] })], 50);
    expect((await anomalies()).map(({ start_timestamp }) => start_timestamp)).toEqual([SLOT, SLOT + 120]);
    expect(await appliedPosition()).toBe(50);
  });

  it('are refused to a process that no longer owns the partition', async () => {
    await app.get(DetectionCheckpointRepository).takeOver(PARTITION);
    await expect(store([anOutput()])).rejects.toBeInstanceOf(PartitionLostError);
    expect(await anomalies()).toEqual([]);
  });
});
