import { type SeriesStore } from '#libs/series';
import { ClientGoneError } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { currentRequest, RequestContext } from '../../common/http/request-context.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { ExpectationService } from './expectation.service.js';
import { type ReplayExecutor } from './replay-executor.js';
import { StoredSeriesService } from './stored-series.service.js';

const FROM = 1_760_000_040;
const SETTINGS = {
  retention1ResolutionSeconds: 60,
  retention2ResolutionSeconds: 3600,
  timezone: 'UTC',
} as SeriesSettings;

const nothing = new Float64Array(0);
const VERDICTS = { values: nothing, yhat: nothing, lower: nothing, upper: nothing, alarm: nothing };

describe('replays for expected ranges', () => {
  let replayed: number[];
  let read: number[];
  let ends: (() => void)[];
  let service: ExpectationService;

  beforeEach(() => {
    [replayed, read, ends] = [[], [], []];
    const series = {
      readRaw: async (id: number) => {
        read.push(id);
        return { timestamps: nothing, values: nothing };
      },
      read: async () => ({ timestamps: nothing, values: nothing }),
    };
    const executor = {
      replay: ({ metricId }: { metricId: number }) => {
        replayed.push(metricId);
        const answer = { ...VERDICTS, anomalous: new Uint8Array(0), kind: new Uint8Array(0) };
        return new Promise((resolve) => ends.push(() => resolve(answer)));
      },
    };
    service = new ExpectationService(
      new StoredSeriesService(series as unknown as SeriesStore),
      executor as unknown as ReplayExecutor,
      new FairQueueRegistry(new MetricsRegistry()),
    );
  });

  const ask = (orgId: number, id: number) =>
    service.getExpectation(
      { id, orgId, type: 'gauge', lastTimestamp: null } as MetricRecord,
      FROM,
      FROM + 600,
      SETTINGS,
    );

  const settle = () => new Promise((resume) => setImmediate(resume));

  async function endAll(asked: readonly Promise<unknown>[]): Promise<void> {
    const work = { isRunning: true };
    const all = Promise.allSettled(asked).then(() => (work.isRunning = false));
    while (work.isRunning) {
      ends.shift()?.();
      await settle();
    }
    await all;
  }

  it('alternate between organisations, and read series only for the next replays', async () => {
    const asked = [11, 12, 13, 14, 15, 16].map((id) => ask(1, id));
    await settle();
    expect(read).toEqual([11, 12]);
    asked.push(ask(2, 21), ask(2, 22));
    await endAll(asked);
    expect(replayed.slice(0, 5)).toEqual([11, 12, 21, 13, 22]);
  });

  it('are skipped when the client has disconnected, unless another request needs the same range', async () => {
    const busy = [ask(1, 11), ask(1, 12)];
    const context = new RequestContext(undefined);
    const [alone, shared] = currentRequest.run(context, () => [ask(1, 13), ask(1, 14)]);
    const same = ask(1, 14);
    await settle();
    context.recordGone();
    await expect(alone).rejects.toBeInstanceOf(ClientGoneError);
    await expect(shared).rejects.toBeInstanceOf(ClientGoneError);
    await endAll([...busy, same]);
    expect(await same).toMatchObject({ resolutionSeconds: 60 });
    expect(replayed).toEqual([11, 12, 14]);
  });
});
