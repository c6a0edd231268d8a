import { type SeriesStore } from '#libs/series';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { StoredSeriesService } from './stored-series.service.js';

const MINUTE = 60;
const DAY = 86_400;
const FIRST = 20_000 * DAY;
const LAST = FIRST + 16 * DAY - MINUTE;
const SETTINGS = { retention1ResolutionSeconds: 60, retention2ResolutionSeconds: 600 } as SeriesSettings;

describe('StoredSeriesService.readWithWarmUp', () => {
  let points: [number, number][];
  let reads: [number, number][];
  let series: StoredSeriesService;
  let metric: MetricRecord;

  beforeEach(() => {
    points = Array.from({ length: 16 * 1440 }, (_, row) => [FIRST + row * MINUTE, row % 97]);
    reads = [];
    const readRaw = async (_: number, from: number, until: number) => {
      reads.push([from, until]);
      const found = points.filter(([timestamp]) => timestamp >= from && timestamp <= until);
      return {
        timestamps: Float64Array.from(found, ([timestamp]) => timestamp),
        values: Float64Array.from(found, ([, value]) => value),
      };
    };
    series = new StoredSeriesService({ readRaw } as unknown as SeriesStore);
    metric = { id: 1, type: 'gauge', firstTimestamp: FIRST, lastTimestamp: LAST } as MetricRecord;
  });

  const read = (until: number) => series.readWithWarmUp(metric, SETTINGS, until - DAY, until);

  it('reads once for adjacent windows', async () => {
    const answers = [];
    for (const moved of [0, 5, 60, 3]) answers.push(await read(LAST - moved * MINUTE));
    expect(reads).toHaveLength(1);
    const alone = new StoredSeriesService((series as unknown as { series: SeriesStore }).series);
    const end = LAST - 60 * MINUTE;
    expect(answers[2]).toEqual(await alone.readWithWarmUp(metric, SETTINGS, end - DAY, end));
    expect(answers[2]!.timestamps.at(-1)).toBe(end);
  });

  it('reads again when the metric has a new slot', async () => {
    await read(LAST);
    points.push([LAST + MINUTE, 500]);
    metric = { ...metric, lastTimestamp: LAST + MINUTE };
    expect((await read(LAST + MINUTE)).values.at(-1)).toBe(500);
    expect(reads).toHaveLength(2);
  });

  it('returns copies, so that changes do not affect other results', async () => {
    (await read(LAST)).values.fill(0);
    expect((await read(LAST)).values.at(-1)).toBe(points.at(-1)![1]);
  });

  it('reads an old window only up to its end', async () => {
    await read(LAST - 2 * DAY);
    expect(reads[0]![1]).toBe(LAST - 2 * DAY);
  });
});
