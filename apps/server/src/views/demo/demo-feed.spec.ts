import { DemoFeed } from './demo-feed.js';

const DAY = 86_400;
const STARTED = 1_760_000_000;
const SHOP = { theme: 'shop', seed: 1, timezone: 'UTC' } as const;

function feed(from = STARTED - DAY): DemoFeed {
  const created = new DemoFeed(STARTED, from, SHOP);
  created.attach(
    Uint32Array.from(created.headers, (_, row) => row + 1),
    created.headers.map(() => null),
  );
  return created;
}

describe('DemoFeed', () => {
  it('sends each slot once, oldest first', () => {
    const demo = feed();
    const first = demo.nextBatch(STARTED - DAY + 600);
    const second = demo.nextBatch(STARTED - DAY + 1200);
    expect(Math.max(...first.timestamps)).toBeLessThan(Math.min(...second.timestamps));
    expect([...first.timestamps]).toEqual([...first.timestamps].sort((a, b) => a - b));
    expect(demo.nextBatch(STARTED - DAY + 1200).ids).toHaveLength(0);
  });

  it('labels each anomaly once with its series and start, also across adjacent windows', () => {
    const demo = feed();
    const all = demo.labels(STARTED - DAY, STARTED + DAY);
    expect(all.length).toBeGreaterThan(15);
    expect(all.map(({ from }) => from)).toEqual(all.map(({ from }) => from).sort((a, b) => a - b));
    for (const { metric, metricId } of all) expect(demo.series[metricId - 1]?.name).toBe(metric);
    const inParts = [
      ...demo.labels(STARTED - DAY, all[3]!.from),
      ...demo.labels(all[3]!.from, STARTED),
      ...demo.labels(STARTED, STARTED + DAY),
    ];
    expect(inParts).toEqual(all);
  });

  it('uses different series for a different theme', () => {
    const factory = new DemoFeed(STARTED, STARTED, { theme: 'factory', seed: 3, timezone: 'Europe/Berlin' });
    const names = new Set(feed().series.map(({ name }) => name));
    expect(factory.series.filter(({ name }) => names.has(name))).toEqual([]);
  });
});
