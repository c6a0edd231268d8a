import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { Deadline } from './deadline.js';
import { parseSelector } from './promql-parser.js';
import { type SeriesRepository } from './series.repository.js';
import { SeriesSelectionService } from './series-selection.service.js';

const NONE = { window: null, lookback: { seconds: 300, paces: 3 }, limit: null };

describe('a pattern of metric names', () => {
  const names = Array.from({ length: 50_001 }, (_, i) => `n${String(i)}`);
  let asked: string[];
  let selections: SeriesSelectionService;
  beforeEach(() => {
    asked = [];
    const rows: Pick<SeriesRepository, 'listNames' | 'findNames' | 'findIds' | 'findByIds'> = {
      listNames: (_org, { prefix }) => {
        asked.push(`names ${prefix}`);
        return Promise.resolve(names);
      },
      findNames: () => {
        asked.push('names by labels');
        return Promise.resolve([]);
      },
      findIds: () => {
        asked.push('ids');
        return Promise.resolve([]);
      },
      findByIds: () => Promise.resolve([]),
    };
    selections = new SeriesSelectionService(rows as SeriesRepository, new FairQueueRegistry(new MetricsRegistry()));
  });
  const find = (selector: string, limit: number | null = null) =>
    selections.find(1, { ...NONE, selectors: [parseSelector(selector)], limit }, new Deadline(60));

  it('is rejected from the names alone if more than 50,000 match', async () => {
    await expect(find('{__name__=~"n.+"}')).rejects.toThrow('more than 50000 series');
    expect(asked).toEqual(['names n']);
  });

  it('is matched against metrics if a limit, another matcher or the names leave fewer', async () => {
    await find('{__name__=~"n.+"}', 5);
    await find('{__name__=~"n.+",host!="a"}');
    await find('{__name__=~"n[1-9]*"}');
    expect(asked).toEqual(['names n', 'ids', 'names n', 'ids', 'names n', 'ids']);
  });

  it('is matched only against the names of metrics with a given label', async () => {
    await find('{__name__=~"n.+",host="a"}');
    expect(asked).toEqual(['names by labels', 'ids']);
  });
});
