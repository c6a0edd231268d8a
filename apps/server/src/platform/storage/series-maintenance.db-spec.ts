import { START } from '../../../../../test/support/hand-clock.js';
import { PointApp } from '../../../../../test/support/point-app.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { SeriesMaintenanceService } from './series-maintenance.service.js';

const DAY = 86_400;
const METRIC = 1;
const LOCK_SPACE = 0x706c_0002;

describe('SeriesMaintenanceService', () => {
  let app: PointApp;

  beforeAll(async () => {
    app = await PointApp.create({ env: { PLUMBLINE_ROLES: 'api' } });
  });

  afterAll(() => app.close());

  it('deletes slots older than the period of their tier', async () => {
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

  it('reports the number of points that wait for compression', async () => {
    const slot = START - (START % 60);
    await app.series.write({
      ids: Uint32Array.of(METRIC),
      timestamps: Float64Array.of(slot),
      values: Float64Array.of(3),
    });
    expect(await app.get(SeriesMaintenanceService).maintain()).toMatchObject({ recentPoints: 1, foldedPoints: 0 });
    expect(await app.get(MetricsRegistry).prometheus.metrics()).toContain('plumbline_series_recent_points');
  });

  it('skips its work while another process does it', async () => {
    const lock = await app.get(AdvisoryLocks).tryAcquire(LOCK_SPACE, 0);
    expect(await app.get(SeriesMaintenanceService).applyRetention()).toBe(false);
    expect(await app.get(SeriesMaintenanceService).maintain()).toBeNull();
    await lock?.release();
  });
});
