import { type ScoredVerdicts, scoreSeries } from '#libs/detection';
import { quietened, scoreOf } from '#libs/detection/scoring';
import { during, normal, type Rows, series, uniform, white } from '#libs/detection/testing';
import { ABLATION_CHANNELS, type AblationChannel, alarmRowsAt, NOVELTY_CHOICES } from './ablation-channels.js';
import { type EvidenceRows, evidenceRows } from './ablation-evidence.js';

/** Noise with outbursts: every channel alarms more than once. */
function restless(seed: number): Rows {
  const noise = white(seed);
  const spiky = during(noise, 1, 1, (value) => value + 40);
  return series(
    5,
    120,
    during(
      during(spiky, 2, 90, (value) => value - 60),
      4,
      200,
      (value) => value * 9,
    ),
  );
}

/** The same without some of its values, and at a changing pace. */
function gappy(seed: number): Rows {
  const { timestamps, values } = restless(seed);
  const next = uniform(seed);
  const holes = values.map((value) => (next() < 0.1 ? NaN : value));
  const slower = timestamps.map((timestamp, row) => timestamp + Math.max(0, row - 1500) * 2000);
  return { timestamps: slower, values: holes };
}

/** Noise that is constant twice, for hours. */
function frozen(seed: number): Rows {
  const noise = normal(seed);
  const still = (row: number): boolean => (row >= 1500 && row < 1650) || (row >= 3000 && row < 3900);
  return series(4, 60, (row) => (still(row) ? 0.25 : noise()));
}

const SERIES = { restless: restless(1), gappy: gappy(2), frozen: frozen(3) };

function run({ timestamps, values }: Rows): { verdicts: ScoredVerdicts; rows: EvidenceRows } {
  const verdicts = scoreSeries(timestamps, values, { type: 'gauge', withParts: true });
  return { verdicts, rows: evidenceRows(timestamps, verdicts) };
}

/** The scores of a channel, from evidence: 0 before its verdicts, suppressed after an alarm. */
function reported(channel: AblationChannel, rows: EvidenceRows, evidence: Float64Array): Float64Array {
  const { level, quietRows } = channel;
  let quiet = 0;
  return evidence.map((at, row) => {
    const points = rows.pointsBefore[row]!;
    const score = points < 100 ? 0 : scoreOf(at, level);
    if (points < 0) return 0;
    if (quiet > 0) {
      quiet -= 1;
      return quietened(score);
    }

    if (score >= 0.5) quiet = quietRows(points, rows.resolution[row]!);
    return score;
  });
}

describe.each(Object.entries(SERIES))('channels computed from the evidence of a %s series', (name, input) => {
  const { verdicts, rows } = run(input);

  it.each(ABLATION_CHANNELS)('$column as shipped equals the column of the detector', (channel) => {
    const column = verdicts[channel.column];
    const evidence = channel.variants[0]!.evidence(rows);
    const again = reported(channel, rows, evidence);
    const isInexact = (row: number): boolean => rows.evidence.frozen[row]! > 0;
    expect(column.findIndex((score, row) => score !== again[row] && !isInexact(row))).toBe(-1);
    expect(column.findIndex((score, row) => Math.abs(score - again[row]!) > 1e-9)).toBe(-1);
    const alarms = Array.from(column.keys()).filter((row) => column[row]! >= 0.5);
    expect(Array.from(alarmRowsAt(channel, rows, evidence, channel.level))).toEqual(alarms);
    if (name === 'restless') expect(alarms.length).toBeGreaterThan(2);
  });

  it('have evidence of a frozen value only where the value is constant', () => {
    const { frozen: evidence } = rows.evidence;
    const isStill = (row: number): boolean => input.values[row] === input.values[row - 29];
    expect(evidence.findIndex((at, row) => at !== 0 && !isStill(row))).toBe(-1);
    expect(evidence.some((at) => at > 0)).toBe(name === 'frozen');
  });
});

describe('alarmRowsAt', () => {
  const { rows } = run(SERIES.restless);
  const [novelty, spike] = ABLATION_CHANNELS;

  it('suppresses rows after an alarm at the given level', () => {
    const evidence = new Float64Array(rows.pointsBefore.length);
    evidence.set([1, 1, 9, 1], 1000);
    // Three percent of a thousand rows are suppressed.
    expect(Array.from(alarmRowsAt(novelty, rows, evidence, 5))).toEqual([1002]);
    expect(Array.from(alarmRowsAt(novelty, rows, evidence, 1))).toEqual([1000]);
    evidence[1031] = 1;
    expect(Array.from(alarmRowsAt(novelty, rows, evidence, 1))).toEqual([1000, 1031]);
    expect(Array.from(alarmRowsAt(spike, rows, evidence, 1))).toEqual([1000, 1001, 1002, 1003, 1031]);
  });

  it('returns no rows before the first verdict of a channel', () => {
    const evidence = new Float64Array(rows.pointsBefore.length).fill(9, 0, 300);
    expect([novelty, spike].map((channel) => alarmRowsAt(channel, rows, evidence, 5)[0])).toEqual([100, 100]);
  });
});

describe('variants', () => {
  const { rows } = run(SERIES.restless);
  const channels = Object.fromEntries(ABLATION_CHANNELS.map(({ column, variants }) => [column, variants]));
  const evidence = (column: string, variant: string): Float64Array =>
    channels[column]!.find(({ name }) => name === variant)!.evidence(rows);
  const sum = (column: Float64Array): number => column.reduce((a, b) => a + b, 0);

  it('have unique names', () => {
    for (const { variants } of ABLATION_CHANNELS) {
      expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length);
    }
  });

  it('omit the excluded part', () => {
    const whole = evidence('novelty', 'as shipped');
    const rest = evidence('novelty', 'without new_value');
    const alone = evidence('novelty', 'new_value alone');
    whole.forEach((at, row) => expect(rest[row]! + alone[row]!).toBeCloseTo(at, 9));
    expect(sum(evidence('score', 'without rarest'))).toBeLessThan(sum(evidence('score', 'rarest without step')));
    expect(sum(evidence('spike', 'without size gate'))).toBeGreaterThan(sum(evidence('spike', 'as shipped')));
  });

  it('of novelty are all combinations of its parts, beginning with all parts', () => {
    const parts = NOVELTY_CHOICES[0]!.name.split(' + ');
    expect(NOVELTY_CHOICES).toHaveLength(2 ** parts.length - 1);
    expect(new Set(NOVELTY_CHOICES.map(({ name }) => name)).size).toBe(NOVELTY_CHOICES.length);
    expect(NOVELTY_CHOICES[0]!.evidence(rows)).toEqual(evidence('novelty', 'as shipped'));
  });
});

describe('evidenceRows', () => {
  it('throws without parts', () => {
    const { timestamps, values } = SERIES.restless;
    const verdicts = scoreSeries(timestamps, values, { type: 'gauge' });
    expect(() => evidenceRows(timestamps, verdicts)).toThrow(RangeError);
  });
});
