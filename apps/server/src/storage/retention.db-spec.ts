import { START } from '../../../../test/support/hand-clock.js';
import { PointApp } from '../../../../test/support/point-app.js';
import { AdvisoryLocks } from '../common/database/advisory-locks.js';
import { RetentionService } from './retention.service.js';

const DAY = 86_400;
const METRIC = 1;

describe('retention', () => {
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
    expect(await app.get(RetentionService).apply()).toBe(true);
    const { values } = await app.series.readRaw(METRIC, START - 30 * DAY, START);
    expect(values).toEqual(Float64Array.of(2));
  });

  it('is left to the process that is at it already', async () => {
    const lock = await app.get(AdvisoryLocks).tryAcquire(0x706c_0002, 0);
    expect(await app.get(RetentionService).apply()).toBe(false);
    await lock?.release();
  });
});
