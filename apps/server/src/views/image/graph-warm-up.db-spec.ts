import { jest } from '@jest/globals';
import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { ChartRenderer } from './chart-renderer.js';
import { GraphDataService } from './graph-data.service.js';
import { GraphWarmUpRepository } from './graph-warm-up.repository.js';
import { GraphWarmUpService } from './graph-warm-up.service.js';
import { ImageModule } from './image.module.js';

describe('GraphWarmUpService', () => {
  let app: MetricApp;
  beforeAll(async () => {
    app = await MetricApp.create({ env: { PLUMBLINE_ROLES: 'api,ingest' } }, [ImageModule]);
  });
  afterAll(() => app.close());
  afterEach(() => jest.restoreAllMocks());

  /** Titles of the graphs that are drawn before the process is ready. */
  async function drawn(): Promise<string[]> {
    const warmUp = new WarmUp(new ReadinessRegistry());
    const renderer = app.get(ChartRenderer);
    new GraphWarmUpService(
      warmUp,
      app.get(GraphWarmUpRepository),
      app.get(MetricService),
      app.get(OrgService),
      app.get(GraphDataService),
      renderer,
    );
    const render = jest.spyOn(renderer, 'render');
    await warmUp.run();
    for (const { value } of render.mock.results)
      expect((await (value as Promise<Uint8Array>)).length).toBeGreaterThan(0);
    return render.mock.calls.map(([request]) => ('chart' in request ? request.chart.title : ''));
  }

  it('draws a graph of a metric with a learnt range, or none without such a metric', async () => {
    expect(await drawn()).toEqual([]);
    const { id: orgId } = await app.anOrg();
    const id = await app.aMetric(orgId, 'web-1.cpu', { lastTimestamp: START });
    expect(await drawn()).toEqual([]);
    await app.database.dataSource.query('UPDATE metric SET ready_range = true WHERE id = $1', [id]);
    expect(await drawn()).toEqual(['web-1.cpu']);
  });
});
