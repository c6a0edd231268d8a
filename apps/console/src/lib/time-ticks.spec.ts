import { timeTicks } from './time-ticks';

const at = (text: string): number => Date.parse(text) / 1000;
const labels = (from: string, until: string, zone: string, most = 8): string[] =>
  timeTicks({ from: at(from), until: at(until) }, zone, most).map(({ label }) => label);

describe('timeTicks', () => {
  it('returns round times of the time zone, with the day at midnight', () => {
    expect(labels('2025-10-12T14:31:00Z', '2025-10-13T14:31:00Z', 'UTC')).toEqual([
      '15:00',
      '18:00',
      '21:00',
      'Mon 00:00',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ]);
  });

  it('rounds in the time zone of the page, not in UTC', () => {
    expect(labels('2025-10-12T00:00:00Z', '2025-10-12T04:00:00Z', 'Asia/Kolkata', 4)).toEqual([
      '06:00',
      '07:00',
      '08:00',
      '09:00',
    ]);
  });

  it('names days when the interval is a day or more', () => {
    expect(labels('2025-10-01T12:00:00Z', '2025-10-05T12:00:00Z', 'UTC', 5)).toEqual([
      '2 Oct',
      '3 Oct',
      '4 Oct',
      '5 Oct',
    ]);
  });

  it('never exceeds the maximum number of ticks by more than one', () => {
    for (const days of [0.01, 0.3, 1, 3, 9, 40, 380]) {
      const ticks = timeTicks({ from: 1_760_000_000, until: 1_760_000_000 + days * 86_400 }, 'Europe/Berlin', 6);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
  });

  it('increases monotonically across a clock change', () => {
    const ticks = timeTicks(
      { from: at('2025-03-29T22:00:00Z'), until: at('2025-03-30T06:00:00Z') },
      'Europe/Berlin',
      9,
    );
    expect(ticks.map(({ at: time }) => time)).toEqual([...ticks.map(({ at: time }) => time)].sort((a, b) => a - b));
    expect(ticks.map(({ label }) => label)).toContain('04:00');
    expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
  });
});
