import { type PastMember, type ThresholdRule, type WatcherRule } from '#libs/alerting';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { OverloadedError } from '../../common/http/http.errors.js';
import { currentRequest, RequestContext } from '../../common/http/request-context.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { parseChip } from '../../data/chips/chips.js';
import { type ReplayedPast } from './alert-replay.js';
import { AlertReplaysService } from './alert-replays.service.js';

const START = 1_760_000_000;
const HOUR = 3600;

function ruleOf(orgId: number): WatcherRule {
  return {
    ...{ id: 1, orgId, name: 'w', chips: ['cpu'], threshold: null, destinations: [] },
    anomalies: { minSeverity: 0, minDurationSeconds: 0, direction: 'both', kinds: [] },
    ...{ expirationSeconds: HOUR, budgetPerWeek: null, severityInEffect: 0 },
  };
}

const member = (id: number, start: number, severity = 60): PastMember => ({
  ...{ id, subjectId: -id, metricId: id, kind: 'spike', severity, direction: 'up' },
  ...{ start, end: start + 600, isQuiet: false, acknowledgedAt: null },
});

function pastOf(orgId: number, members: readonly PastMember[] = []): ReplayedPast {
  return {
    rule: ruleOf(orgId),
    members,
    metrics: members.map(({ metricId: id }) => ({ id, name: `cpu-${String(id)}`, labels: {} })),
    held: { timezone: 'UTC', exclusions: [] },
  };
}

describe('AlertReplaysService', () => {
  let replays: AlertReplaysService;
  beforeEach(() => {
    replays = new AlertReplaysService(new FairQueueRegistry(new MetricsRegistry()));
  });
  afterEach(() => replays.beforeApplicationShutdown());

  it('takes turns between organisations, however many replays one of them requests', async () => {
    const ended: number[] = [];
    const ask = async (orgId: number) => {
      await replays.alerts(pastOf(orgId), START);
      ended.push(orgId);
    };
    await Promise.all([...Array.from({ length: 20 }, () => ask(1)), ask(2)]);
    expect(ended.indexOf(2)).toBeLessThanOrEqual(2);
  });

  it('rejects replays of requests when the queue is full, but accepts background replays', async () => {
    const ask = () => replays.alerts(pastOf(1), START);
    const asked = currentRequest.run(new RequestContext(undefined), () => Array.from({ length: 100 }, ask));
    const inBackground = Array.from({ length: 100 }, ask);
    const answers = await Promise.allSettled(asked);
    const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(39);
    expect(refused[0]!.reason).toBeInstanceOf(OverloadedError);
    await expect(Promise.all(inBackground)).resolves.toHaveLength(100);
  });

  it('returns which alerts would have been sent and which an exclusion would have suppressed', async () => {
    const past = pastOf(1, [member(1, START), member(2, START + HOUR)]);
    const exclusion = { fromTimestamp: null, untilTimestamp: null, recurrence: null };
    const held = { timezone: 'UTC', exclusions: [{ ...exclusion, chips: [parseChip('cpu-2')] }] };
    const alerts = await replays.alerts({ ...past, held }, START + 4 * HOUR);
    expect(alerts.map(({ memberId, suppressedBy }) => [memberId, suppressedBy === null])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it('returns the severity that keeps within a budget', async () => {
    const members = Array.from({ length: 60 }, (_, i) => member(i + 1, START + i * 12 * HOUR, 10 + i));
    const now = START + 30 * 24 * HOUR;
    const asked = { past: pastOf(1, members), budgetPerWeek: 3, account: null, now };
    const { severity } = await replays.budget(asked);
    const sent = members.filter((one) => one.severity >= severity).length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(members.length / 2);
  });

  it('returns at most the requested number of threshold events', async () => {
    const count = 1000;
    const rule: ThresholdRule = {
      ...{ algorithm: 'above', function: 'none', value: 5, valueUpper: null, timesInARow: 1 },
      ...{ functionSeconds: null, minimumAvg: null, minimumAvgSeconds: null, dropPercent: null },
    };
    const timestamps = Float64Array.from({ length: count }, (_, i) => START + 60 * i);
    const values = Float64Array.from({ length: count }, (_, i) => (i % 2) * 10);
    const asked = { rule, timestamps, values, from: START, until: START + 60 * count };
    expect(await replays.threshold(1, { ...asked, most: 1e9 })).toHaveLength(count - 1);
    expect(await replays.threshold(1, { ...asked, most: 7 })).toHaveLength(7);
  });
});
