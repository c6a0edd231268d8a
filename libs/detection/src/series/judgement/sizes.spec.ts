import { DAY, type Generator, series, START, white } from '../../testing/generators.js';
import { gatesOf } from '../anomaly/gates.js';
import { F, P } from '../record/layout.js';
import { noteInterval } from '../points/pace.js';
import { createRecord } from '../reset-record.js';
import { SeasonalPoint } from '../season/season.js';
import { SeriesDetector } from '../series-detector.js';
import { type SeriesRecord } from '../record/series-record.js';
import { ZoneClock } from '../points/zone-clock.js';

const FIVE_MINUTES = 300;
const terms = { clock: new ZoneClock('UTC'), sensitivity: 1, gates: gatesOf({}) };

function learnt(days: number, value: Generator): SeriesRecord {
  const { timestamps, values } = series(days, FIVE_MINUTES, value);
  const record = createRecord();
  const detector = new SeriesDetector(() => undefined);
  timestamps.forEach((timestamp, row) => {
    if (row > 0) noteInterval(record, FIVE_MINUTES);
    detector.score(record, terms, timestamp, values[row]!, 1, true);
  });
  return record;
}

describe('the size that one row in a hundred exceeds', () => {
  it.each([1, 2, 3])('is that of white noise after two weeks of five-minute rows (seed %i)', (seed) => {
    const size = learnt(14, white(seed)).p[P.size99]!;
    expect(size).toBeGreaterThan(2.3);
    expect(size).toBeLessThan(2.9);
  });

  it.each([1, 2, 3])(
    'decreases within weeks after a part of the first day was eight times as noisy (seed %i)',
    (seed) => {
      const noise = white(seed);
      const other = white(seed + 100);
      const loudAtFirst: Generator = (index, timestamp) =>
        noise(index, timestamp) + (index >= 40 && index < 90 ? 8 * other(index, timestamp) : 0);
      expect(learnt(3, loudAtFirst).p[P.size99]!).toBeGreaterThan(7);
      expect(learnt(28, loudAtFirst).p[P.size99]!).toBeLessThan(5);
    },
  );

  it('is hardly affected by a level shift, because it ignores rows after the third in a row beyond it', () => {
    const noise = white(4);
    const shifted: Generator = (index, timestamp) => noise(index, timestamp) + (index >= 250 && index < 280 ? 60 : 0);
    const before = learnt(7, noise).p[P.size99]!;
    expect(learnt(7, shifted).p[P.size99]! / before).toBeLessThan(2);
  });
});

describe('the weekly expectation', () => {
  const isWeekend = (timestamp: number): boolean => [2, 3].includes(Math.floor(timestamp / DAY) % 7);
  const truth = (timestamp: number): number =>
    (isWeekend(timestamp) ? 40 : 100) * (1.5 + Math.sin((2 * Math.PI * timestamp) / DAY));

  it('follows the slope of a wave within the hour, also next to a weekend', () => {
    const noise = white(5);
    const record = learnt(22, (index, timestamp) => truth(timestamp) + 0.5 * noise(index, timestamp));
    const at = new SeasonalPoint();
    at.resolution = FIVE_MINUTES;
    const origin = record.f[F.origin]!;
    let sum = 0;
    let rows = 0;
    for (let timestamp = START + 22 * DAY; timestamp < START + 29 * DAY; timestamp += FIVE_MINUTES) {
      at.locate(record, timestamp, timestamp);
      sum += Math.abs(at.weeklyAt + origin - truth(timestamp));
      rows++;
    }
    // Without interpolation, hourly values would be off by four on average.
    expect(sum / rows).toBeLessThan(1);
  });
});
