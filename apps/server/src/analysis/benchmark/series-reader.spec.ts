import { jest } from '@jest/globals';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { InlineExecutor } from '../../common/workers/executor.js';
import { DataFileError } from './benchmark.errors.js';
import { type SentSeries, type SeriesAnswer } from './read-series.js';
import { SeriesReaderService } from './series-reader.service.js';

const NOW = 1_760_000_000;
const file = (text: string): SentSeries => ({ file: Buffer.from(text), timezone: 'UTC', now: NOW });
const rows = (count: number): string =>
  Array.from({ length: count }, (_, row) => `${String(NOW - 60 * row)},${String(row)}`).join('\n');

describe('SeriesReaderService', () => {
  let reader: SeriesReaderService;
  beforeEach(() => {
    reader = new SeriesReaderService(new FairQueueRegistry(new MetricsRegistry()));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await reader.beforeApplicationShutdown();
  });

  it('leaves all parsing to the thread', async () => {
    const series = { timestamps: new Float64Array(1), values: new Float64Array(1) };
    const asked: SentSeries[] = [];
    jest
      .spyOn(InlineExecutor.prototype as InlineExecutor<SentSeries, SeriesAnswer>, 'call')
      .mockImplementation(async (sent) => {
        asked.push(sent);
        return { series, step: 60, refused: '' };
      });
    const garbage = file('\0');
    expect(await reader.read('address:1', garbage)).toEqual({ series, step: 60, refused: '' });
    expect(asked).toEqual([garbage]);
  });

  it('alternates between parties', async () => {
    const read: string[] = [];
    const send = (party: string) => reader.read(party, file(rows(5))).then(() => read.push(party));
    await Promise.all([...Array.from({ length: 8 }, () => send('address:1')), send('org:2')]);
    expect(read.indexOf('org:2')).toBeLessThanOrEqual(2);
  });

  it('sorts by time, keeps the last value of equal times, and drops NaN', async () => {
    const sent = { timestamps: Float64Array.of(120, 60, 60, 180), values: Float64Array.of(3, 1, 2, NaN) };
    const { series, step } = await reader.read('org:1', sent);
    expect([...series.timestamps]).toEqual([60, 120]);
    expect([...series.values]).toEqual([2, 3]);
    expect(step).toBe(60);
  });

  it('reports which lines of a file were rejected', async () => {
    const { series, refused } = await reader.read('org:1', file(`${rows(3)}\nyesterday,4\n${String(NOW)},many`));
    expect(series.values).toHaveLength(3);
    expect(refused).toMatch(/^2 of 5 points refused: .*; line 4: .*yesterday.*; line 5: .*many/);
  });

  it('rejects an unreadable file with a DataFileError', async () => {
    await expect(reader.read('org:1', file('a\nb'))).rejects.toThrow(DataFileError);
  });
});
