import { DAY, type Generator, START, white } from '../../testing/generators.js';
import { detect } from '../../testing/verdicts.js';

const MINUTE = 60;
const HOUR = 3600;

/** Start and length of each anomaly from `from` on, in minutes; length -1 if it is still open. */
function anomaliesOf(days: number, values: Generator, from: number): [start: number, minutes: number][] {
  const { anomalies } = detect(days, values);
  return anomalies
    .filter(({ type, startTimestamp }) => type === 'opened' && startTimestamp >= from)
    .map(({ startTimestamp }): [number, number] => {
      const end = anomalies.find((event) => event.type === 'closed' && event.startTimestamp === startTimestamp);
      const minutes = end ? (end.endTimestamp! - startTimestamp) / MINUTE + 1 : -1;
      return [(startTimestamp - from) / MINUTE, minutes];
    });
}

describe('a steady drift', () => {
  const at = START + 10 * DAY;
  const ramp = (spread: number, offset: (t: number) => number): Generator => {
    const noise = white(8);
    return (i, t) => 0.01 * i + spread * noise(i, t) + offset(t);
  };

  it.each([
    ['ten minutes', 10, 0.1],
    ['ten minutes, without noise', 10, 0],
    ['three hours', 180, 0.1],
    ['three hours, without noise', 180, 0],
  ])('has one anomaly for a fall of %s, exactly as long as the fall', (_name, minutes, spread) => {
    const values = ramp(spread, (t) => (t >= at && t < at + minutes * MINUTE ? -50 : 0));
    expect(anomaliesOf(12, values, at)).toEqual([[0, minutes]]);
  });

  it('has one anomaly, shorter than 12 hours, for the first restart of a leak, and none for later ones', () => {
    const noise = white(9);
    const leak: Generator = (i, t) => 0.01 * (i % (8 * 1440)) + 0.1 * noise(i, t);
    const anomalies = anomaliesOf(30, leak, START + 8 * DAY);
    expect(anomalies).toHaveLength(1);
    const [[start, minutes]] = anomalies as [[number, number]];
    expect(start).toBe(0);
    expect(minutes * MINUTE).toBeLessThan(12 * HOUR);
  });
});
