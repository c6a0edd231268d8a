import { type AnomalyEvent } from '#libs/detection';
import { anomalyJson, anomalyTable, summaryLine } from './anomaly-report.js';
import { type Detection } from './run-detection.js';

function anAnomaly(overrides: Partial<AnomalyEvent> = {}): AnomalyEvent {
  return {
    type: 'closed',
    seriesId: 0,
    startTimestamp: 1_760_000_000,
    endTimestamp: 1_760_003_600,
    outUntilTimestamp: null,
    peakTimestamp: 1_760_001_800,
    backfill: true,
    value: 8421.5,
    peakValue: 9000,
    expected: 4100,
    lower: 3350.5,
    upper: 4870,
    score: 0.82,
    severity: 64,
    rarityDays: 120,
    kind: 'level_shift_up',
    explanation: [
      {
        test: 'level',
        score: 0.9,
        observed: 8421.5,
        expected: 4100,
        timestamp: 1_760_000_000,
        text: '8421.5 is far above 4100.',
      },
    ],
    closeReason: 'recovered',
    ...overrides,
  };
}

function aDetection(overrides: Partial<Detection> = {}): Detection {
  const none = new Float64Array(0);
  return {
    type: 'gauge',
    timezone: 'UTC',
    rows: 22_695,
    missing: 0,
    late: 0,
    from: 1_759_900_000,
    until: 1_760_100_000,
    verdicts: {
      values: none,
      yhat: none,
      lower: none,
      upper: none,
      novelty: none,
      spike: none,
      score: none,
      alarm: none,
      kind: new Uint8Array(0),
      anomalous: new Uint8Array(0),
      anomalies: [],
    },
    anomalies: [anAnomaly()],
    ...overrides,
  };
}

describe('anomalyTable', () => {
  it('shows start, end, kind, severity, score, value, expected range and explanation', () => {
    const table = anomalyTable([anAnomaly()], 'Europe/Oslo', 200);
    for (const text of [
      '2025-10-09 10:53:20',
      '2025-10-09 11:53:20',
      'level shift up',
      'major (64)',
      '0.82',
      '8422',
      '3351 to 4870',
      '8421.5 is far above 4100.',
    ]) {
      expect(table).toContain(text);
    }
  });

  it('shows unknown values as a dash, and a missing end as still open', () => {
    const table = anomalyTable([anAnomaly({ endTimestamp: null, value: null, lower: null, upper: null })], 'UTC', 200);
    expect(table).toContain('still open');
    expect(table).toContain('–');
    expect(table).not.toMatch(/null|NaN/);
  });

  it('contains no colour codes', () => expect(anomalyTable([anAnomaly()], 'UTC', 200)).not.toContain('\u001b'));

  it('wraps long texts to the given width', () => {
    const long = anAnomaly({ explanation: [{ ...anAnomaly().explanation[0]!, text: 'many words '.repeat(30) }] });
    const lines = anomalyTable([long], 'UTC', 180).trimEnd().split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(180);
    expect(lines.length).toBeGreaterThan(5);
  });
});

describe('summaryLine', () => {
  it('counts anomalies by severity and shows the period', () => {
    const anomalies = [anAnomaly({ severity: 10 }), anAnomaly({ severity: 80 }), anAnomaly({ severity: 90 })];
    expect(summaryLine(aDetection({ anomalies }))).toBe(
      '3 anomalies (2 critical, 1 info) in 22,695 rows over 2 days 8 hours, 2025-10-08 05:06:40 – 2025-10-10 12:40:00 (UTC)\n',
    );
  });

  it('reports that no anomaly was found, and which rows were not judged', () => {
    expect(summaryLine(aDetection({ anomalies: [], missing: 3, late: 1200 }))).toContain(
      'No anomaly in 22,695 rows (3 without value; 1,200 at a time that another row has, not judged) over',
    );
  });
});

describe('anomalyJson', () => {
  it('uses the member names of the HTTP API', () => {
    const json = JSON.parse(anomalyJson(aDetection(), 'in.csv'));
    expect(json).toMatchObject({ source: 'in.csv', rows: 22_695, timezone: 'UTC' });
    expect(json.anomalies).toEqual([
      expect.objectContaining({
        timestamp: 1_760_000_000,
        until_timestamp: 1_760_003_600,
        kind: 'level_shift_up',
        severity_label: 'major',
        rarity_months: 4,
        expected_range_lower: 3350.5,
        explanation: [expect.objectContaining({ test: 'level' })],
      }),
    ]);
  });
});
