import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { AnomalyRecordingRepository } from './anomaly-recording.repository.js';

const DAY = 86_400;

describe('expired anomalies', () => {
  let app: MetricApp;

  beforeAll(async () => {
    app = await MetricApp.create();
  });
  afterAll(() => app.close());

  it('are deleted after the retention of their organisation unless they are open', async () => {
    const createDaysAgo = async (days: number) => {
      const { id: orgId } = await app.anOrg({ retention2PeriodSeconds: days * DAY });
      const metricId = await app.aMetric(orgId, 'a');
      const at = (age: number, end: number | null) =>
        app.anAnomaly(orgId, metricId, START - age * DAY, end === null ? null : START - end * DAY);
      return [await at(122, 110), await at(121, 99), await at(120, null), await at(50, 40)];
    };
    const [some, others] = [await createDaysAgo(100), await createDaysAgo(30)];
    await app.get(AnomalyRecordingRepository).forgetExpired(app.clock.now(), 1000);
    const left: { id: number }[] = await app.database.dataSource.query('SELECT id FROM anomaly ORDER BY id');
    expect(left.map(({ id }) => id)).toEqual([some[1], some[2], some[3], others[2]]);
  });
});
