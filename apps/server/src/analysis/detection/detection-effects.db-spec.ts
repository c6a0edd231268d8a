import { DataSource } from 'typeorm';
import { type AnomalyEvent, type ProgressColumns, type ShardOutput } from '#libs/detection';
import { START } from '../../../../../test/support/hand-clock.js';
import { PointApp } from '../../../../../test/support/point-app.js';
import { statementsOf } from '../../../../../test/support/statements.js';
import { DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionEffectsService } from './detection-effects.service.js';
import { PartitionLostError } from './detection.errors.js';

const PARTITION = 3;
const SLOT = START - (START % 60);

describe('DetectionEffectsService', () => {
  let app: PointApp;
  let metricId: number;
  let epoch: number;
  const never = new AbortController().signal;

  beforeAll(async () => {
    // Without the role `detect`, so that no other process works on the partition.
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
    outUntilTimestamp: null,
    peakTimestamp: SLOT,
    backfill: false,
    value: 9,
    peakValue: 9,
    expected: 1,
    lower: 0,
    upper: 2,
    score: 0.8,
    severity: 60,
    rarityDays: null,
    kind: 'spike',
    explanation: [],
    closeReason: null,
    ...overrides,
  });

  const anOutput = (overrides: Partial<ShardOutput> = {}): ShardOutput => ({
    slots: { ids: Uint32Array.of(metricId), timestamps: Float64Array.of(SLOT), values: Float64Array.of(9) },
    events: [anEvent()],
    counters: [],
    hasUrgentProgress: false,
    scored: 1,
    skipped: { unknown: 0, unusable: 0 },
    ...overrides,
  });

  const store = (outputs: ShardOutput[], position = 10) =>
    app.get(DetectionEffectsService).store({ partition: PARTITION, epoch, position, outputs }, never);

  const anomalies = (): Promise<Record<string, unknown>[]> =>
    app.database.dataSource.query('SELECT * FROM anomaly WHERE metric_id = $1 ORDER BY start_timestamp', [metricId]);
  const appliedPosition = async (): Promise<number> =>
    (await app.get(DetectionCheckpointRepository).takeOver(PARTITION)).appliedPosition;

  it('stores points, anomalies and the position idempotently', async () => {
    for (let i = 0; i < 2; i++) await store([anOutput()]);
    const { values } = await app.series.readRaw(metricId, SLOT, SLOT);
    expect(values).toEqual(Float64Array.of(9));
    expect(await anomalies()).toHaveLength(1);
    expect(await appliedPosition()).toBe(10);
  });

  it('keeps the last value of a slot', async () => {
    const slots = { ids: Uint32Array.of(metricId), timestamps: Float64Array.of(SLOT), values: Float64Array.of(7) };
    await store([anOutput(), anOutput({ slots, events: [] })]);
    const { values } = await app.series.readRaw(metricId, SLOT, SLOT);
    expect(values).toEqual(Float64Array.of(7));
  });

  it('skips a row that the database rejects, and stores the rest', async () => {
    const impossible = anEvent({ startTimestamp: SLOT + 60, severity: 1e9 });
    await store([anOutput({ events: [anEvent(), impossible, anEvent({ startTimestamp: SLOT + 120 })] })], 50);
    expect((await anomalies()).map(({ start_timestamp }) => start_timestamp)).toEqual([SLOT, SLOT + 120]);
    expect(await appliedPosition()).toBe(50);
  });

  it('rejects the effects of a process that no longer owns the partition', async () => {
    await app.get(DetectionCheckpointRepository).takeOver(PARTITION);
    await expect(store([anOutput()])).rejects.toBeInstanceOf(PartitionLostError);
    expect(await anomalies()).toEqual([]);
  });

  it('updates the positions of all partitions in one statement, except partitions of other owners', async () => {
    const checkpoints = app.get(DetectionCheckpointRepository);
    const partitions = Array.from({ length: 1024 }, (_, i) => 100 + i);
    const epochs = await Promise.all(partitions.map(async (one) => (await checkpoints.takeOver(one)).epoch));
    await checkpoints.takeOver(500);

    let marked: boolean[] = [];
    const statements = await statementsOf(app.get(DataSource), async () => {
      marked = await Promise.all(partitions.map((one, i) => checkpoints.markApplied(one, epochs[i]!, 1000 + one)));
    });

    expect(statements.filter((sql) => sql.includes('UPDATE detection_checkpoint'))).toHaveLength(1);
    expect(marked).toEqual(partitions.map((one) => one !== 500));
    expect((await checkpoints.takeOver(500)).appliedPosition).toBe(0);
    expect((await checkpoints.takeOver(501)).appliedPosition).toBe(1501);
  });

  const aProgress = (points: number): ProgressColumns => ({
    ids: Uint32Array.of(metricId),
    firstTimestamps: Float64Array.of(SLOT),
    lastTimestamps: Float64Array.of(SLOT),
    lastValues: Float64Array.of(9),
    points: Float64Array.of(points),
    valuesNeeded: Uint8Array.of(Math.max(0, 100 - points)),
    resolutionSeconds: Float64Array.of(NaN),
    shortPeriods: Float64Array.of(0),
    longPeriods: Float64Array.of(0),
    flags: Uint8Array.of(0),
  });
  const metric = async () => (await app.database.dataSource.query('SELECT * FROM metric WHERE id = $1', [metricId]))[0];
  const storePage = (position: number, bytes: number[], points: number) =>
    app.get(DetectionEffectsService).storePage(
      { partition: PARTITION, epoch },
      {
        page: { page: 2, position, series: 1, bytes: Uint8Array.from(bytes), object: null },
        progress: aProgress(points),
        hasUrgentProgress: false,
        replayAfter: position - 1,
      },
      never,
    );

  it('stores the progress of metrics separately from their points', async () => {
    await app
      .get(DetectionEffectsService)
      .storeProgress({ partition: PARTITION, epoch }, { progress: aProgress(3), hasUrgentProgress: true }, never);
    expect(await metric()).toMatchObject({ last_value: 9, points: 3, resolution_seconds: null });
  });

  it('stores pages with the progress of their metrics and the position to replay from', async () => {
    await storePage(70, [1, 2, 3], 4);
    await storePage(80, [255, 0, 7, 1], 5);
    expect(await metric()).toMatchObject({ points: 5 });
    const checkpoints = app.get(DetectionCheckpointRepository);
    expect(await checkpoints.pagesAfter(PARTITION, -1, 10)).toEqual([
      { page: 2, position: 80, series: 1, bytes: Uint8Array.of(255, 0, 7, 1), object: null },
    ]);
    expect(await checkpoints.pagesAfter(PARTITION, 2, 10)).toEqual([]);
    expect((await checkpoints.takeOver(PARTITION)).position).toBe(79);
    // A page of a replaced owner must not be stored.
    await expect(storePage(90, [1], 6)).rejects.toBeInstanceOf(PartitionLostError);
    expect((await checkpoints.pagesAfter(PARTITION, -1, 10))[0]).toMatchObject({ position: 80 });
    expect(await metric()).toMatchObject({ points: 5 });
  });
});
