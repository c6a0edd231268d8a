import fc from 'fast-check';
import { type AnomalyFacts, type IncidentFacts } from './compose-facts.js';
import { ALERT_PHASES } from './content.js';
import { composeAdmin } from './compose-admin.js';
import { composeIncident } from './compose-incident.js';
import { composeTest } from './compose-test.js';
import { composeThreshold, ruleText } from './compose-threshold.js';
import { type ThresholdRule } from './watcher-rule.js';
import {
  anAnomaly,
  CONTENTS,
  hostileContent,
  singleFacts,
  START,
  stormFacts,
} from '../../../test/support/alert-contents.js';

const rule = (fields: Partial<ThresholdRule>): ThresholdRule => ({
  algorithm: 'above',
  value: 500,
  valueUpper: null,
  timesInARow: 1,
  function: 'none',
  functionSeconds: null,
  minimumAvg: null,
  minimumAvgSeconds: null,
  dropPercent: null,
  ...fields,
});

describe('composeIncident', () => {
  it('states for a single metric how it behaves and what was expected', () => {
    const { title, summary, origin, facts, subject } = composeIncident(singleFacts());
    expect(title).toBe(
      'Major: disk_read_latency_seconds{instance="db-1",device="nvme0n1"} spiked to 84.2 ms (usual 3.4 to 4.9 ms)',
    );
    expect(summary).toBe('Since 10:00. 0.0842 is 21 times the usual scale above the usual 0.0041.');
    expect(origin).toBeNull();
    expect(facts).toEqual([
      ['Severity', 'Major (64 of 100)'],
      ['Since', 'Thu 9 Oct 2025, 10:00 (UTC+02:00)'],
      ['Watcher', 'API errors'],
    ]);
    expect(subject).toEqual({ type: 'incident', id: '41' });
  });

  it('summarises 2,000 failing metrics of a host in one line', () => {
    const { title, summary, items, metricsCount, origin, severityLabel } = composeIncident(stormFacts(2000));
    expect(title).toBe('Critical: 2000 metrics of instance=db-1 since 10:00, first: disk read latency');
    expect(summary).toMatch(/^2,000 metrics began to behave unusually at 10:00 or soon after\. The worst: disk_read/);
    expect([items.length, metricsCount, severityLabel]).toEqual([20, 2000, 'critical']);
    expect(items.map(({ severity }) => severity)).toEqual(
      [...items.map(({ severity }) => severity)].sort((a, b) => b - a),
    );
    expect(origin).toMatch(/^disk_read_latency_seconds.*\(62%\): started first and leads 9 of 11 others by 60 s/);
  });

  it('states that all metrics have stopped sending, or do not change, and that they are back', () => {
    const of = (fields: Partial<AnomalyFacts>, facts: Partial<IncidentFacts> = {}) => {
      const storm = stormFacts(3, facts);
      return composeIncident({ ...storm, anomalies: storm.anomalies.map((one) => ({ ...one, ...fields })) }).summary;
    };
    const silent = { kind: 'missing_data', value: null, lower: null, upper: null, reason: null } as const;
    expect(of(silent)).toMatch(
      /^3 metrics stopped sending data at 10:00 or soon after\. The worst: .* has had no data/,
    );
    expect(of({ kind: 'flatline' })).toMatch(/^3 metrics stopped changing at 10:00 or soon after\. /);
    const over = { phase: 'recovered', now: START + 600 } as const;
    expect(of(silent, over)).toBe('All 3 metrics send data again after 10 minutes.');
    expect(of({ kind: 'flatline' }, over)).toBe('All 3 metrics change again after 10 minutes.');
  });

  it('names the peak once it is further out than the first value', () => {
    const { title, items } = composeIncident(
      singleFacts({ anomalies: [anAnomaly({ value: 0.005, peakValue: 0.0842 })] }),
    );
    expect(title).toMatch(/ spiked to 84.2 ms \(usual 3.4 to 4.9 ms\)$/);
    expect(items).toMatchObject([{ value: 0.0842 }]);
  });

  it('states what has become worse', () => {
    const { summary } = composeIncident(
      stormFacts(40, { phase: 'updated', previous: { metricsCount: 12, severity: 64 } }),
    );
    expect(summary).toMatch(/^It has grown from 12 metrics to 40\. It is now critical, it was major\. The worst: /);
  });

  it('states how many metrics of the incident are watched, if not all', () => {
    const { summary } = composeIncident(stormFacts(12, { metricsCount: 3 }));
    expect(summary).toMatch(/3 metrics of the 12 in the incident are watched here\.$/);
  });

  it('states how long the incident lasted, and who acknowledged it', () => {
    const recovered = CONTENTS.recovered!();
    expect(recovered.title).toBe('Recovered: 12 metrics of instance=db-1 since 10:00, first: disk read latency');
    expect(recovered.summary).toBe('All 12 metrics are back within the expected range after 29 minutes.');
    expect(recovered.end).toBe(START + 1740);
    expect(CONTENTS.acknowledged!().summary).toBe(
      'Ann has acknowledged it: no further alerts until it has ended. Note: The array rebuilds itself.',
    );
    const single = composeIncident(singleFacts({ phase: 'recovered', now: START + 600 }));
    expect(single.title).toMatch(/^Recovered: disk_read_latency.* is as expected again$/);
  });

  it('names in the title how a single metric came back', () => {
    const title = (kind: AnomalyFacts['kind']): string =>
      composeIncident(singleFacts({ phase: 'recovered', anomalies: [anAnomaly({ kind, ending: 'recovered' })] })).title;
    expect(title('missing_data')).toMatch(/^Recovered: disk_read_latency.* sends data again$/);
    expect(title('flatline')).toMatch(/^Recovered: disk_read_latency.* changes again$/);
  });

  it.each([
    ['adapted', 'stays at its new values', 'have kept the new values for 10 minutes: they are expected from now on.'],
    ['data_ended', 'has no further data to judge', 'it is not known whether the values are normal again.'],
    ['excluded', 'is excluded from analysis', 'were excluded from analysis after 10 minutes.'],
    ['expected', 'was marked as expected', 'It turned out to be expected behaviour: there is nothing to do.'],
  ] as const)('says how it ended if its values are not normal again: %s', (ending, title, summary) => {
    const over = { phase: 'recovered', now: START + 600 } as const;
    const why = ending === 'excluded' || ending === 'expected' ? 'expected' : 'ended';
    const single = composeIncident(singleFacts({ ...over, why, anomalies: [anAnomaly({ ending })] }));
    expect(single.title).toMatch(/^Closed: disk_read_latency/);
    expect(single.title.endsWith(title)).toBe(true);
    const storm = stormFacts(3, { ...over, why });
    const several = composeIncident({ ...storm, anomalies: storm.anomalies.map((one) => ({ ...one, ending })) });
    expect(several.title).toMatch(/^Closed: 3 metrics of instance=db-1/);
    expect(several.summary.endsWith(summary)).toBe(true);
    expect([single.isClosed, several.isClosed]).toEqual([true, true]);
  });

  it('counts the ends of several metrics if they differ', () => {
    const storm = stormFacts(3, { phase: 'recovered', now: START + 600 });
    const endings = ['recovered', 'recovered', 'data_ended'] as const;
    const anomalies = storm.anomalies.map((one, index) => ({ ...one, ending: endings[index]! }));
    const { title, summary } = composeIncident({ ...storm, anomalies });
    expect(title).toMatch(/^Closed: 3 metrics/);
    expect(summary).toBe(
      'The incident is closed after 10 minutes: 2 metrics are as expected again, 1 metric has no further data to judge.',
    );
  });

  it('says that the incident is part of another one, or that its watcher was deleted', () => {
    const of = (why: 'merged' | 'deleted') => composeIncident(singleFacts({ phase: 'recovered', why }));
    expect(of('merged')).toMatchObject({
      title: expect.stringMatching(/^Closed: .* is part of another incident$/),
      summary: 'It turned out to be part of another incident, which has its own messages.',
    });
    expect(of('deleted')).toMatchObject({
      title: expect.stringMatching(/^Closed: .* is no longer watched$/),
      summary: 'The watcher was deleted: it sends no more messages about this.',
    });
  });

  it('ends with the anomalies of the message while the incident continues with other metrics', () => {
    const facts = singleFacts({ phase: 'recovered', now: START + 600 });
    const anomalies = facts.anomalies.map((anomaly) => ({ ...anomaly, end: START + 60 }));
    const { end, summary } = composeIncident({ ...facts, anomalies, incident: { ...facts.incident, end: null } });
    expect(end).toBe(START + 60);
    expect(summary).toContain('within the expected range after 1 minute.');
  });

  it('includes the date if the start was on another day', () => {
    const { summary } = composeIncident(singleFacts({ now: START + 86_400 }));
    expect(summary).toMatch(/^Since Thu 9 Oct, 10:00\. /);
  });

  it('omits the value when there is no data', () => {
    const anomalies = [
      anAnomaly({ kind: 'missing_data', value: null, lower: null, upper: null, metric: 'queue.depth', reason: null }),
    ];
    const { title } = composeIncident(singleFacts({ anomalies }));
    expect(title).toBe('Major: queue.depth has had no data since 10:00');
  });

  it('keeps titles to one line of 150 characters for any metric name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 1024 }),
        fc.constantFrom(...ALERT_PHASES),
        fc.option(fc.double({ noNaN: true }), { nil: null }),
        (metric, phase, value) => {
          const facts = singleFacts({ phase, anomalies: [anAnomaly({ metric, value })] });
          const { title } = composeIncident(facts);
          expect(Array.from(title).length).toBeLessThanOrEqual(150);
          expect(title).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
        },
      ),
    );
    expect(hostileContent().title).not.toMatch(/[\r\n\u2028]/);
  });
});

describe('composeThreshold', () => {
  it('states the value and the threshold', () => {
    const { title, summary, facts } = CONTENTS.threshold!();
    expect(title).toBe('Major: http.api.checkout.latency.p95 is at 812.4 ms, above 500 ms');
    expect(summary).toBe('Since 10:00.');
    expect(facts[0]).toEqual(['Threshold', 'above 500 ms, mean of 5 minutes, 3 points in a row']);
  });

  it.each([
    [rule({ algorithm: 'below', value: 3 }), 'below 3 ms'],
    [rule({ algorithm: 'outside', value: 3, valueUpper: 9 }), 'outside of 3 to 9 ms'],
    [rule({ algorithm: 'no_data', value: 600 }), 'no data for 10 minutes'],
    [
      rule({ algorithm: 'drop_off', value: null, dropPercent: 90, minimumAvgSeconds: 3600 }),
      '90% below its average of 1 hour',
    ],
  ])('describes %j as %s', (given, text) => {
    expect(ruleText(given, 'ms')).toBe(text);
  });

  it('states the number of metrics, and that data arrives again after silence', () => {
    const breach = { metricId: 1, metric: 'a.b', labels: {}, unit: null, value: null, start: START, end: null };
    const facts = {
      ...singleFacts(),
      watcher: { id: 6, name: 'Silence' },
      rule: rule({ algorithm: 'no_data', value: 600 }),
      breaches: [breach],
      subject: { type: 'watcher-metric', id: '6-1' },
    } as const;
    const several = composeThreshold({ ...facts, phase: 'opened', metricsCount: 14 });
    expect(several.title).toBe('Major: 14 metrics beyond the threshold of Silence: no data for 10 minutes');
    const over = composeThreshold({
      ...facts,
      phase: 'recovered',
      metricsCount: 1,
      breaches: [{ ...breach, end: START + 60 }],
    });
    expect(over.title).toBe('Recovered: a.b is sending again');
  });
});

describe('composeTest, composeSummary and composeAdmin', () => {
  it('marks a test as a test', () => {
    const content = composeTest({ ...singleFacts(), requestedBy: null, example: null, id: 'x' });
    expect(content).toMatchObject({ isTest: true, kind: 'test', title: 'Test: alerts of Example Ltd arrive here' });
    expect(content.summary).toBe(
      'This is a test of the watcher “API errors”: nothing is wrong, and there is nothing to do.',
    );
  });

  it('lists the worst incidents of a summary first, and compares with the week before', () => {
    const content = CONTENTS.summary!();
    expect(content.title).toBe('Week of API errors: 3 incidents');
    expect(content.summary).toBe('3 incidents with 41 anomalies. The week before had 12 anomalies.');
    expect(content.entries!.map(({ severityLabel }) => severityLabel)).toEqual(['critical', 'major', 'minor']);
    expect(content.entries![0]!.text).toMatch(/ \(29 minutes\)$/);
    expect(content.entries![1]!.text).toMatch(/ \(still open\)$/);
  });

  it('names some of the affected metrics of an admin alert, and reports its end', () => {
    const content = CONTENTS.admin!();
    expect(content.title).toBe('Some metrics stop receiving data (Example Ltd)');
    expect(content.summary).toBe('No data for 15 minutes, while others still arrive. 14 metrics are affected.');
    expect(content.facts.at(-1)![1]).toMatch(/web-10\.cpu\.user and 4 more$/);
    const facts = { ...singleFacts(), code: 'no_data', name: 'All metrics stop receiving data', message: '' };
    const over = composeAdmin({
      ...facts,
      phase: 'recovered',
      since: START - 600,
      now: START,
      affectedMetrics: [],
      affectedCount: 3,
    });
    expect(over.title).toBe('Recovered: All metrics stop receiving data (Example Ltd)');
    expect(over.summary).toBe('3 metrics were affected. It lasted 10 minutes.');
  });
});
