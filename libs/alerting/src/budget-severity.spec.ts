import { detectSeries } from '#libs/detection';
import { demoSeries, QUIET_KIND_NAMES, QUIET_START, quietSeries, seriesColumns, withTroubles } from '#libs/synthetic';
import { severityInEffect } from './budget-severity.js';
import { type PastMember, PlanReplay } from './plan-replay.js';
import { type WatcherRule } from './watcher-rule.js';

const DAY = 86_400;
const WEEK = 7 * DAY;
const STEP = 60;
const EPOCH = 1_760_054_400;

interface Columns {
  timestamps: Float64Array;
  values: Float64Array;
}

function rule(budgetPerWeek: number): WatcherRule {
  return {
    id: 1,
    orgId: 1,
    name: 'All',
    chips: [],
    anomalies: { minSeverity: 0, minDurationSeconds: 0, direction: 'both', kinds: [] },
    threshold: null,
    expirationSeconds: 3600,
    budgetPerWeek,
    severityInEffect: 0,
    destinations: [],
  };
}

/** The anomalies that the detector opens on a series, in their final state. */
function anomaliesOf(
  metricId: number,
  { timestamps, values }: Columns,
  type: 'gauge' | 'counter' | 'rate',
): PastMember[] {
  const latest = new Map<number, PastMember>();
  for (const event of detectSeries(timestamps, values, { type, slotSeconds: STEP }).anomalies) {
    latest.set(event.startTimestamp, {
      id: metricId * 1_000_000 + (Math.floor(event.startTimestamp / STEP) % 1_000_000),
      subjectId: 0,
      metricId,
      kind: event.kind,
      severity: event.severity,
      direction: null,
      start: event.startTimestamp,
      end: event.endTimestamp,
      isQuiet: false,
      acknowledgedAt: null,
    });
  }
  return [...latest.values()];
}

/** Combines anomalies that begin within two minutes into one incident. */
function asIncidents(members: readonly PastMember[]): PastMember[] {
  let subjectId = 0;
  let last = -Infinity;
  return [...members]
    .sort((a, b) => a.start - b.start)
    .map((member) => {
      if (member.start - last > 120) subjectId++;
      last = member.start;
      return { ...member, subjectId };
    });
}

/** The number of messages of a new watcher in four weeks, with its budget adjusted daily. */
function messagesIn4Weeks(members: readonly PastMember[], budgetPerWeek: number, from: number): number {
  const replay = new PlanReplay(
    rule(budgetPerWeek),
    members.filter(({ start }) => start >= from),
  );
  for (let day = from; day < from + 4 * WEEK; day += DAY) {
    const account = { used: replay.countSent(from, day), seconds: day - from };
    const { severity } = severityInEffect({ rule: rule(budgetPerWeek), budgetPerWeek, members, account, now: day });
    replay.setRule({ ...rule(budgetPerWeek), severityInEffect: severity });
    replay.advance(day + DAY - 1);
  }
  return replay.countSent(from, from + 4 * WEEK);
}

/** A web shop with new anomalies every 90 minutes, from the tenth day on. */
function ofDemo(): { members: PastMember[]; from: number } {
  const members = demoSeries({ epoch: EPOCH }).flatMap((series, index) =>
    anomaliesOf(index, seriesColumns(series, EPOCH - 10 * DAY, EPOCH + 4 * WEEK, STEP), series.type),
  );
  return { members: asIncidents(members), from: EPOCH };
}

/** Ordinary series of every kind with a few visible anomalies, from the third week on. */
function ofQuietSeries(): { members: PastMember[]; from: number } {
  const members = QUIET_KIND_NAMES.flatMap((kind, index) => {
    const { series } = withTroubles(quietSeries(kind, 1, 42), index, 14);
    return anomaliesOf(index, series, 'gauge');
  });
  return { members: asIncidents(members), from: QUIET_START + 14 * DAY };
}

describe('severityInEffect', () => {
  it('weights recent anomalies more when severities decrease', () => {
    // Four anomalies a day for 30 days, with a severity that falls over time.
    const members = Array.from({ length: 120 }, (_, i): PastMember => {
      const start = EPOCH - 30 * DAY + i * (DAY / 4);
      const severity = 80 - Math.floor(i / 4);
      const end = start + 600;
      return {
        id: i,
        subjectId: i,
        metricId: i,
        kind: 'spike',
        severity,
        direction: null,
        start,
        end,
        isQuiet: false,
        acknowledgedAt: null,
      };
    });
    const question = { rule: rule(4), budgetPerWeek: 4, members, account: null, now: EPOCH };
    // Severities range from 80 to 51. Unweighted, the budget would allow those from about 76 on.
    const { severity } = severityInEffect(question);
    expect(severity).toBeGreaterThan(55);
    expect(severity).toBeLessThan(72);
    // Without a trend, the weights have no effect.
    const even = members.map((member) => ({ ...member, severity: 51 + ((member.id * 7) % 30) }));
    expect(severityInEffect({ ...question, members: even }).severity).toBeGreaterThan(74);
  });

  it.each([
    ['the demo', ofDemo],
    ['ordinary series', ofQuietSeries],
  ])('keeps a budget of three messages a week within a factor of two over four weeks of %s', (_, make) => {
    const { members, from } = make();
    const wouldBe = messagesIn4Weeks(members, 1000, from);
    expect(wouldBe).toBeGreaterThan(24);
    const messages = messagesIn4Weeks(members, 3, from);
    expect(messages).toBeGreaterThanOrEqual(6);
    expect(messages).toBeLessThanOrEqual(24);
  });
});
