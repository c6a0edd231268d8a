import { severityForBudget } from './plan-budget.js';
import { type PastMember, PlanReplay } from './plan-replay.js';
import { type WatcherRule } from './watcher-rule.js';

const T0 = 1_760_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

const RULE: WatcherRule = {
  id: 5,
  orgId: 1,
  name: 'All',
  chips: [],
  anomalies: { minSeverity: 30, minDurationSeconds: 0, direction: 'both', kinds: [] },
  threshold: null,
  expirationSeconds: HOUR,
  budgetPerWeek: null,
  severityInEffect: 0,
  destinations: [],
};

let id = 0;
const past = (given: Partial<PastMember>): PastMember => {
  id++;
  return {
    id,
    subjectId: id,
    metricId: 1,
    kind: 'spike',
    severity: 60,
    direction: 'up',
    start: T0,
    end: T0 + 300,
    isQuiet: false,
    acknowledgedAt: null,
    ...given,
  };
};

const alertsOf = (replay: PlanReplay): unknown[] =>
  replay.alerts().map(({ at, suppressedBy, member }) => [(at - T0) / HOUR, suppressedBy, member.metricId]);

describe('PlanReplay', () => {
  it('returns the alerts that would have been sent, and the reason for each suppressed one', () => {
    const members = [
      past({}),
      past({ start: T0 + 0.5 * HOUR, end: T0 + 0.6 * HOUR }),
      past({ start: T0 + 2 * HOUR, end: T0 + 3 * HOUR }),
      past({ start: T0 + 4 * HOUR, severity: 20, end: T0 + 5 * HOUR, metricId: 2 }),
      past({ start: T0 + 6 * HOUR, end: null, acknowledgedAt: T0 + 6 * HOUR, metricId: 3 }),
    ];
    const replay = new PlanReplay(RULE, members).advance(T0 + DAY);
    expect(replay.alerts().map(({ member, suppressedBy }) => [member.id, suppressedBy])).toEqual([
      [members[0]!.id, null],
      [members[1]!.id, 'expiration'],
      [members[2]!.id, null],
      [members[3]!.id, 'filter'],
      [members[4]!.id, 'acknowledged'],
    ]);
    expect(replay.countSent(T0, T0 + HOUR)).toBe(1);
  });

  it('counts an incident once, regardless of its number of metrics', () => {
    const members = Array.from({ length: 2000 }, (_, index) =>
      past({ subjectId: -1, metricId: index, start: T0 + (index % 50), severity: 50 + (index % 30) }),
    );
    const [alert, ...others] = new PlanReplay(RULE, members).advance(T0 + DAY).alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ suppressedBy: null, member: { severity: 79 } });
    expect(alert!.at).toBeLessThanOrEqual(T0 + 60);
  });

  it('suppresses anomalies during a maintenance window, and alerts on those that last longer', () => {
    const members = [past({ end: T0 + HOUR }), past({ start: T0 + HOUR, end: T0 + 4 * HOUR, metricId: 2 })];
    const replay = new PlanReplay(RULE, members, (_, at) => at < T0 + 2 * HOUR).advance(T0 + DAY);
    expect(alertsOf(replay)).toEqual([
      [0, 'exclusion', 1],
      [2, null, 2],
    ]);
  });

  it('returns the same alerts when it advances in one step or in many', () => {
    const members = Array.from({ length: 300 }, (_, index) =>
      past({
        metricId: index % 7,
        severity: (index * 37) % 100,
        start: T0 + index * 700,
        end: T0 + index * 700 + ((index * 91) % 5000),
      }),
    );
    const whole = new PlanReplay({ ...RULE, budgetPerWeek: 5, severityInEffect: 40 }, members).advance(T0 + 4 * DAY);
    const pieces = new PlanReplay({ ...RULE, budgetPerWeek: 5, severityInEffect: 40 }, members);
    for (let at = T0; at <= T0 + 4 * DAY; at += 5000) pieces.advance(at);
    expect(pieces.advance(T0 + 4 * DAY).alerts()).toEqual(whole.alerts());
  });

  it('sends between one and two times the budget for a steady rate of anomalies', () => {
    const members = Array.from({ length: 5000 }, (_, index) =>
      past({ metricId: index % 500, severity: 60, start: T0 + index * 480, end: T0 + index * 480 + 60 }),
    );
    const replay = new PlanReplay({ ...RULE, budgetPerWeek: 3 }, members).advance(T0 + 28 * DAY);
    expect(replay.countSent(T0, T0 + 28 * DAY)).toBeGreaterThanOrEqual(12);
    expect(replay.countSent(T0, T0 + 28 * DAY)).toBeLessThanOrEqual(24);
  });

  it('records every act as it was decided, on request', () => {
    const mail = { channel: 'email', recipient: 'ann@example.org', userId: null, mentions: [] } as const;
    const members = [
      past({ end: T0 + 600 }),
      past({ start: T0 + HOUR / 2, end: T0 + 0.6 * HOUR }),
      past({ start: T0 + 2 * HOUR, severity: 20, metricId: 2, end: T0 + 3 * HOUR }),
    ];
    const replay = new PlanReplay({ ...RULE, destinations: [mail] }, members);
    const acts = replay.recordActs();
    replay.advance(T0 + DAY);
    const final = acts.filter(({ act }) => act.type !== 'suppress' || act.isFinal);
    expect(final.map(({ act, subjectId }) => [subjectId, act.type, act.destinations.length])).toEqual([
      [members[0]!.subjectId, 'open', 1],
      [members[0]!.subjectId, 'recover', 1],
      [members[1]!.subjectId, 'suppress', 1],
      [members[2]!.subjectId, 'suppress', 1],
    ]);
    const [opened, recovered] = acts;
    // The anomaly had not ended then, and the recorded copy does not change later.
    expect(opened).toMatchObject({
      before: { phase: 'held' },
      after: { phase: 'told' },
      act: { members: [{ end: null }] },
    });
    expect(recovered).toMatchObject({ after: { phase: 'recovered' }, act: { members: [{ end: T0 + 600 }] } });
    expect(new PlanReplay(RULE, members).advance(T0 + DAY).alerts()).toEqual(replay.alerts());
  });
});

describe('severityForBudget', () => {
  const rate = (severity: number): number => (100 - severity) / 10;

  it('returns the severity at which the past rate meets the budget', () => {
    expect(severityForBudget(3, rate, null)).toBe(70);
    expect(severityForBudget(100, rate, null)).toBe(0);
  });

  it('compensates for fewer or more messages than budgeted', () => {
    expect(severityForBudget(3, rate, 2)).toBe(32);
    expect(severityForBudget(3, rate, 6)).toBe(85);
  });

  it('returns the closer severity when many anomalies have the same severity', () => {
    const steps = (severity: number): number => (severity <= 40 ? 20 : severity <= 80 ? 2.5 : 0);
    expect(severityForBudget(3, steps, null)).toBe(41);
    expect(severityForBudget(15, steps, null)).toBe(40);
  });
});
