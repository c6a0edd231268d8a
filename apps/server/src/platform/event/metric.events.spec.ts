import { type OrgEvent } from './event.types.js';
import { recordForMetrics } from './metric.events.js';

const EVENT = { orgId: 1, type: 'metric_removed', level: 'notice', userId: 5 } as const;
const TEXTS = {
  one: (name: string) => `${name} was removed.`,
  many: (count: number, names: readonly string[]) =>
    `${String(count)} were removed, ${String(names.length)} are named.`,
};

function recorded(count: number, limits: { single?: number; named?: number } = {}): OrgEvent[] {
  const events: OrgEvent[] = [];
  const metrics = Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `m${String(i + 1)}` }));
  recordForMetrics({ record: (event) => events.push(event) }, EVENT, metrics, { ...TEXTS, ...limits });
  return events;
}

describe('recordForMetrics', () => {
  it('records one event each for up to twenty metrics', () => {
    expect(recorded(0)).toEqual([]);
    expect(recorded(20)).toHaveLength(20);
    expect(recorded(1)).toEqual([{ ...EVENT, message: 'm1 was removed.', metricId: 1, metric: 'm1' }]);
  });

  it('records one event for more metrics, with a hundred names', () => {
    const names = Array.from({ length: 100 }, (_, i) => `m${String(i + 1)}`);
    expect(recorded(120)).toEqual([
      { ...EVENT, message: '120 were removed, 100 are named.', details: { count: 120, metrics: names } },
    ]);
  });

  it('accepts other limits', () => {
    expect(recorded(3, { single: 2, named: 1 })).toEqual([
      { ...EVENT, message: '3 were removed, 1 are named.', details: { count: 3, metrics: ['m1'] } },
    ]);
  });
});
