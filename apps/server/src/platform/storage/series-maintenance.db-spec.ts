import { START } from '../../../../../test/support/hand-clock.js';
import { PointApp } from '../../../../../test/support/point-app.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { SeriesMaintenanceService } from './series-maintenance.service.js';

const DAY = 86_400;
const METRIC = 1;
const LOCK_SPACE = 0x706c_0002;

describe('maintenance of the series store', () => {
  let app: PointApp;

  beforeAll(async () => {
    app = await PointApp.create({ env: { PLUMBLINE_ROLES: 'api' } });
  });

  afterAll(() => app.close());

  it('drops slots that are older than their tier keeps them', async () => {
    const slots = [START - 20 * DAY, START - DAY].map((timestamp) => timestamp - (timestamp % 60));
    await app.series.write({
      ids: Uint32Array.of(METRIC, METRIC),
      timestamps: Float64Array.from(slots),
      values: Float64Array.of(1, 2),
    });
    expect(await app.get(SeriesMaintenanceService).applyRetention()).toBe(true);
    const { values } = await app.series.readRaw(METRIC, START - 30 * DAY, START);
    expect(values).toEqual(Float64Array.of(2));
  });

  it('says how many points wait to be compressed', async () => {
    const slot = START - (START % 60);
    await app.series.write({
      ids: Uint32Array.of(METRIC),
      timestamps: Float64Array.of(slot),
      values: Float64Array.of(3),
    });
    expect(await app.get(SeriesMaintenanceService).maintain()).toMatchObject({ recentPoints: 1, foldedPoints: 0 });
    expect(await app.get(MetricsRegistry).prometheus.metrics()).toContain('plumbline_series_recent_points');
  });

  it('is left to the process that is at it already', async () => {
    const lock = await app.get(AdvisoryLocks).tryAcquire(LOCK_SPACE, 0);
    expect(await app.get(SeriesMaintenanceService).applyRetention()).toBe(false);
    expect(await app.get(SeriesMaintenanceService).maintain()).toBeNull();
    await lock?.release();
  });
});
