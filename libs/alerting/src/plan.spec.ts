import fc from 'fast-check';
import { type Destination, destinationKey } from './content.js';
import { PLAN_TIMING, type PlanAct, type PlanHistory, type PlanMember, type PlanState } from './plan-types.js';
import { planSubject, type PlanInput } from './plan.js';
import { type WatcherRule } from './watcher-rule.js';

const T0 = 1_760_000_000;

const mail = (recipient: string): Destination => ({ channel: 'email', recipient, userId: null, mentions: [] });
const PAGER: Destination = { channel: 'pagerduty', recipient: '', userId: null, mentions: [] };

function rule(given: Partial<WatcherRule> = {}): WatcherRule {
  return {
    id: 5,
    orgId: 1,
    name: 'API errors',
    chips: [],
    anomalies: { minSeverity: 0, minDurationSeconds: 0, direction: 'both', kinds: [] },
    threshold: null,
    expirationSeconds: 3600,
    budgetPerWeek: null,
    severityInEffect: 0,
    destinations: [mail('ann@example.org'), PAGER],
    ...given,
  };
}

function member(given: Partial<PlanMember> = {}): PlanMember {
  return {
    id: 1,
    metricId: 455,
    kind: 'spike',
    severity: 60,
    direction: 'up',
    start: T0,
    end: null,
    state: 'open',
    isAcknowledged: false,
    isQuiet: false,
    isExcluded: false,
    earlierStarts: 0,
    ...given,
  };
}

const NOTHING_BEFORE: PlanHistory = { earlier: () => null, budgeted: () => [], isAnomalous: () => false };

/** One subject over time. Members that a step omits keep their values. */
class Story {
  states: PlanState[] = [];
  acts: { at: number; act: PlanAct }[] = [];
  private input: Omit<PlanInput, 'now' | 'since' | 'states'> = {
    watched: [],
    members: [],
    mutedUntil: null,
    history: NOTHING_BEFORE,
    isMerged: false,
    timing: PLAN_TIMING,
  };

  constructor(
    private readonly rules: WatcherRule[] = [rule()],
    private members: PlanMember[] = [member()],
  ) {}

  at(seconds: number, given: Partial<PlanInput> & { members?: PlanMember[]; rules?: WatcherRule[] } = {}): string[] {
    const { members = this.members, rules = this.rules, ...rest } = given;
    this.members = members;
    this.input = { ...this.input, ...rest, members, watched: rules.map((of) => ({ rule: of, members })) };
    const { states, acts } = planSubject({
      ...this.input,
      now: T0 + seconds,
      since: T0 + seconds,
      states: this.states,
    });
    this.states = states;
    this.acts.push(...acts.map((act) => ({ at: seconds, act })));
    return acts.filter((act) => act.type !== 'suppress' || act.isFinal).map(describeAct);
  }

  get recheckIn(): number | null {
    const [state] = this.states;
    return state?.recheckAt == null ? null : state.recheckAt - T0;
  }
}

function describeAct(act: PlanAct): string {
  const to = act.destinations.map(({ channel }) => channel).join();
  if (act.type === 'suppress') return `suppress ${act.phase} ${act.reason}`;
  return act.type === 'recover' ? `recover ${act.why} ${to}` : `${act.type} ${to}`;
}

const many = (count: number, given: Partial<PlanMember> = {}): PlanMember[] =>
  Array.from({ length: count }, (_, index) => member({ id: index + 1, metricId: index + 1, ...given }));

describe('planSubject', () => {
  it('sends a single anomaly once, within a second', () => {
    const story = new Story();
    expect(story.at(0)).toEqual([]);
    expect(story.recheckIn).toBe(PLAN_TIMING.holdSeconds);
    expect(story.recheckIn).toBeLessThan(1);
    expect(story.at(0.75)).toEqual(['open email,pagerduty']);
    expect(story.at(0.75)).toEqual([]);
    expect(story.at(60)).toEqual([]);
  });

  it('sends a slowly growing incident after a few seconds, without waiting for a burst to end', () => {
    const story = new Story();
    for (const [second, count] of [
      [0, 1],
      [0.5, 2],
      [1.5, 3],
      [2.5, 4],
    ] as const) {
      expect(story.at(second, { members: many(count) })).toEqual([]);
    }
    expect(story.recheckIn).toBe(PLAN_TIMING.growingSeconds);
    expect(story.at(3)).toEqual(['open email,pagerduty']);
    expect(story.acts[0]!.act.members).toHaveLength(4);
  });

  it('sends one message for a burst after it stops growing', () => {
    const story = new Story([rule()], many(10));
    for (let second = 0; second < 25; second++) {
      expect(story.at(second, { members: many(Math.min(2000, 10 + second * 100)) })).toEqual([]);
    }
    expect(story.recheckIn).toBe(20 + PLAN_TIMING.stormSeconds);
    expect(story.at(25)).toEqual(['open email,pagerduty']);
    expect(story.acts.at(-1)!.act.members).toHaveLength(2000);
  });

  it('waits at most a minute for a burst to end', () => {
    const story = new Story([rule()], many(10));
    const described: string[] = [];
    for (let second = 0; second <= 60; second++)
      described.push(...story.at(second, { members: many(10 + second * 10) }));
    expect(described).toEqual(['open email,pagerduty']);
    expect(story.acts[0]!.at).toBe(60);
  });

  it('sends an update when the severity label rises or the number of metrics multiplies', () => {
    const story = new Story();
    story.at(0);
    story.at(2);
    expect(story.at(20, { members: [member({ severity: 70 })] })).toEqual(['refresh email,pagerduty']);
    expect(story.at(30, { members: [member({ severity: 80 })] })).toEqual([]);
    expect(story.at(80)).toEqual(['update email,pagerduty']);
    expect(story.at(200, { members: many(8, { severity: 80 }) })).toEqual(['refresh email,pagerduty']);
    story.at(260, { members: many(40, { severity: 80 }) });
    expect(story.at(266)).toEqual(['update email,pagerduty']);
  });

  it('sends the recovery only after the subject has stayed ended for a while', () => {
    const story = new Story();
    story.at(0);
    story.at(2);
    expect(story.at(100, { members: [member({ state: 'ended', end: T0 + 90 })] })).toEqual([]);
    expect(story.at(150, { members: [member()] })).toEqual([]);
    expect(story.at(200, { members: [member({ state: 'ended', end: T0 + 190 })] })).toEqual([]);
    expect(story.recheckIn).toBe(200 + PLAN_TIMING.recoverySeconds);
    expect(story.at(320)).toEqual(['recover ended email,pagerduty']);
    expect(story.at(400)).toEqual([]);
  });

  it('sends no recovery while one of the metrics is anomalous again', () => {
    const story = new Story();
    story.at(0);
    story.at(2);
    story.at(100, { members: [member({ state: 'ended', end: T0 + 90 })] });
    const anomalous = { ...NOTHING_BEFORE, isAnomalous: () => true };
    expect(story.at(300, { history: anomalous })).toEqual([]);
    expect(story.at(360, { history: NOTHING_BEFORE })).toEqual(['recover ended email,pagerduty']);
  });

  it('sends nothing more after an acknowledgement, except the acknowledgement to PagerDuty and the recovery', () => {
    const story = new Story();
    story.at(0);
    story.at(2);
    expect(story.at(30, { members: [member({ isAcknowledged: true })] })).toEqual(['acknowledge pagerduty']);
    expect(story.at(100, { members: [member({ isAcknowledged: true, severity: 95 })] })).toEqual([]);
    story.at(200, { members: [member({ isAcknowledged: true, state: 'ended', end: T0 + 190 })] });
    expect(story.at(320)).toEqual(['recover ended email,pagerduty']);
  });

  it('sends nothing if the subject is acknowledged before the message is sent', () => {
    const story = new Story();
    story.at(0);
    expect(story.at(1, { members: [member({ isAcknowledged: true })] })).toEqual(['suppress opened acknowledged']);
    expect(story.at(60)).toEqual([]);
  });

  it('sends a recovery immediately when a sent anomaly turns out to be expected', () => {
    const story = new Story();
    story.at(0);
    story.at(2);
    expect(story.at(5, { members: [member({ state: 'withdrawn' })] })).toEqual(['recover expected email,pagerduty']);
  });

  it('sends nothing if the anomaly turns out to be expected before the message is sent', () => {
    const story = new Story();
    story.at(0);
    expect(story.at(1, { members: [member({ state: 'withdrawn' })] })).toEqual([]);
    expect(story.recheckIn).toBeNull();
  });

  it('sends each destination one message, even if several watchers have it', () => {
    const other = rule({ id: 6, destinations: [mail('ann@example.org'), mail('bob@example.org')] });
    const story = new Story([other, rule()]);
    story.at(0);
    story.at(2);
    expect(story.acts.map(({ act }) => [act.watcherId, act.destinations.map(destinationKey)])).toEqual([
      [5, ['email:ann@example.org', 'pagerduty:']],
      [6, ['email:bob@example.org']],
    ]);
  });

  it.each<[string, Partial<WatcherRule['anomalies']>, Partial<PlanMember>]>([
    ['severity', { minSeverity: 61 }, {}],
    ['direction', { direction: 'down' }, {}],
    ['kind', { kinds: ['dip'] }, {}],
    ['duration', { minDurationSeconds: 600 }, { end: T0 + 300, state: 'ended' }],
  ])('suppresses anomalies that the filter of the watcher excludes: %s', (_, anomalies, given) => {
    const story = new Story([rule({ anomalies: { ...rule().anomalies!, ...anomalies } })], [member(given)]);
    expect(story.at(300)).toEqual(given.end === undefined ? [] : ['suppress opened filter']);
    expect(story.at(310, { members: [member({ state: 'ended', end: T0 + 300 })] })).toEqual(
      given.end === undefined ? ['suppress opened filter'] : [],
    );
  });

  it('sends an anomaly when it reaches the minimum duration', () => {
    const story = new Story([rule({ anomalies: { ...rule().anomalies!, minDurationSeconds: 600 } })]);
    expect(story.at(0)).toEqual([]);
    expect(story.recheckIn).toBe(600);
    expect(story.at(600)).toEqual(['open email,pagerduty']);
  });

  it('excludes the time back within the range, while the anomaly is still open, from its duration', () => {
    const story = new Story([rule({ anomalies: { ...rule().anomalies!, minDurationSeconds: 300 } })]);
    story.at(0);
    expect(story.at(180, { members: [member({ outUntil: T0 + 120 })] })).toEqual([]);
    expect(story.recheckIn).toBeNull();
    expect(story.at(400)).toEqual([]);
    // Values leave the range again.
    expect(story.at(420, { members: [member({ outUntil: null })] })).toEqual(['open email,pagerduty']);
  });

  it('counts the last slot as a whole, and slots only once they are known', () => {
    const late = new Story([rule({ anomalies: { ...rule().anomalies!, minDurationSeconds: 300 } })]);
    late.at(0);
    expect(late.at(300, { members: [member({ knownUntil: T0 + 240 })] })).toEqual([]);
    expect(late.recheckIn).toBe(305);
    const ended = member({ state: 'ended', end: T0 + 240, outUntil: T0 + 300 });
    expect(late.at(310, { members: [ended] })).toEqual(['open email,pagerduty']);
  });

  it('sends one message per metric within the expiration time, and a lasting anomaly after it', () => {
    const history: PlanHistory = {
      ...NOTHING_BEFORE,
      earlier: () => ({ at: T0 - 600, isSettling: false, isPending: false }),
    };
    const story = new Story();
    expect(story.at(0, { history })).toEqual(['suppress opened expiration']);
    expect(story.recheckIn).toBe(3000);
    expect(story.at(3000)).toEqual(['open email,pagerduty']);
  });

  it('suppresses messages while muted, and sends a lasting anomaly after the mute', () => {
    const story = new Story();
    expect(story.at(0, { mutedUntil: T0 + 900 })).toEqual(['suppress opened muted']);
    expect(story.at(900)).toEqual(['open email,pagerduty']);
  });

  it('closes records in PagerDuty while alerts are muted, but sends no mail', () => {
    const story = new Story();
    story.at(0);
    story.at(2);
    story.at(100, { members: [member({ state: 'ended', end: T0 + 90 })], mutedUntil: T0 + 900 });
    expect(story.at(220)).toEqual(['recover ended pagerduty', 'suppress recovered muted']);
  });

  it('suppresses messages during a maintenance window, and sends a lasting anomaly after it', () => {
    const story = new Story([rule()], [member({ isExcluded: true })]);
    expect(story.at(0)).toEqual(['suppress opened exclusion']);
    expect(story.recheckIn).toBe(60);
    expect(story.at(60)).toEqual([]);
    expect(story.at(120, { members: [member()] })).toEqual(['open email,pagerduty']);
  });

  it('sends one message per hour for a flapping metric', () => {
    const history: PlanHistory = {
      ...NOTHING_BEFORE,
      earlier: () => ({ at: T0 - 600, isSettling: false, isPending: false }),
    };
    const story = new Story([rule({ expirationSeconds: 60 })], [member({ earlierStarts: 4 })]);
    expect(story.at(0, { history })).toEqual(['suppress opened flapping']);
    expect(story.at(3000)).toEqual(['open email,pagerduty']);
  });

  it('never alerts on quiet or long ended anomalies', () => {
    expect(new Story([rule()], [member({ isQuiet: true })]).at(5)).toEqual([]);
    expect(new Story([rule()], [member({ state: 'ended', end: T0 + 60 })]).at(7200)).toEqual([]);
  });

  it('suppresses anomalies below the severity of the budget, or when the budget is used up', () => {
    const thrifty = rule({ budgetPerWeek: 1, severityInEffect: 61 });
    const story = new Story([thrifty]);
    expect(story.at(0)).toEqual(['suppress opened budget']);
    expect(story.at(30, { members: [member({ severity: 61 })] })).toEqual(['open email,pagerduty']);
    const budgeted = [1, 2].map((day) => ({ at: T0 - day * 86_400, severity: 80 }));
    const spender = new Story([thrifty], [member({ severity: 80 })]);
    expect(spender.at(0, { history: { ...NOTHING_BEFORE, budgeted: () => budgeted } })).toEqual([
      'suppress opened budget',
    ]);
    expect(spender.at(9, { members: [member({ severity: 81 })] })).toEqual(['open email,pagerduty']);
  });

  it('sends the recovery of a message whose watcher was deleted', () => {
    const story = new Story();
    story.at(0);
    story.at(2);
    expect(story.at(50, { rules: [] })).toEqual([]);
    story.at(100, { members: [member({ state: 'ended', end: T0 + 90 })] });
    expect(story.at(220)).toEqual(['recover ended email,pagerduty']);
  });

  it('sends another opening when the anomaly starts again after its recovery', () => {
    const story = new Story();
    story.at(0);
    story.at(2);
    story.at(10, { members: [member({ state: 'withdrawn' })] });
    expect(story.at(60, { members: [member()] })).toEqual([]);
    story.at(3700);
    expect(story.at(3702)).toEqual(['open email,pagerduty']);
  });
});

describe('any sequence of changes', () => {
  const step = fc.record({
    after: fc.integer({ min: 0, max: 400 }),
    muted: fc.boolean(),
    members: fc.array(
      fc.record({
        severity: fc.integer({ min: 0, max: 100 }),
        state: fc.constantFrom<PlanMember['state']>('open', 'open', 'ended', 'withdrawn'),
        isAcknowledged: fc.boolean(),
        isExcluded: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
  const rules = [
    rule({ anomalies: { ...rule().anomalies!, minSeverity: 40 } }),
    rule({ id: 6, destinations: [mail('ann@example.org'), mail('bob@example.org')] }),
  ];

  function play(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]): Story {
    const story = new Story(rules);
    let now = 0;
    for (const { after, muted, members } of steps) {
      now += after;
      const seen = members.map((given, index) => {
        const isOver = given.state === 'ended';
        return member({ ...given, id: index, metricId: index, end: isOver ? T0 + now : null });
      });
      story.at(now, { members: seen, mutedUntil: muted ? T0 + now + 100 : null });
      const before = story.acts.length;
      const states = JSON.stringify(story.states);
      story.at(now);
      // Suppressions that are not final may be repeated, but not sent messages.
      expect(story.acts.slice(before).filter(({ act }) => act.type !== 'suppress' || act.isFinal)).toEqual([]);
      expect(JSON.stringify(story.states)).toBe(states);
    }
    return story;
  }

  it('sends each destination a recovery only after an opening, and only one opening at a time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const open = new Map<string, number>();
        for (const { act } of play(steps).acts) {
          for (const destination of act.destinations) {
            const key = destinationKey(destination);
            if (act.type === 'open') {
              expect(open.has(key)).toBe(false);
              open.set(key, act.watcherId);
            } else if (act.type !== 'suppress') {
              expect(open.has(key)).toBe(true);
            }
          }
          if (act.type === 'recover') {
            for (const [key, watcherId] of open) if (watcherId === act.watcherId) open.delete(key);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never sends two openings of a metric within the expiration time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const last = new Map<number, number>();
        for (const { at, act } of play(steps).acts) {
          if (act.type !== 'open') continue;
          expect(at - (last.get(act.watcherId) ?? -Infinity)).toBeGreaterThanOrEqual(3600);
          last.set(act.watcherId, at);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('sends no opening or update while muted, excluded or acknowledged', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const silent = steps.map((of, index) => ({
          ...of,
          muted: index % 3 === 0 || of.muted,
          members: of.members.map((given) => ({
            ...given,
            isExcluded: index % 3 === 1 || given.isExcluded,
            isAcknowledged: index % 3 === 2 || given.isAcknowledged,
          })),
        }));
        const types = play(silent).acts.map(({ act }) => act.type);
        expect(types.filter((type) => type === 'open' || type === 'update')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
