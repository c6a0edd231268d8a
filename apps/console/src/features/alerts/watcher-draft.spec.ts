import { type Schema } from '../../lib/api';
import {
  budgetChoices,
  canSend,
  draftOf,
  lackOf,
  linesOf,
  newDraft,
  previewBody,
  sentLastWeek,
  watcherBody,
  weeksOf,
  type WatcherDraft,
} from './watcher-draft';

const draft = newDraft([7], ['web']);
const limit: WatcherDraft = { ...draft, type: 'threshold', threshold: { ...draft.threshold, value: 500 } };

describe('canSend', () => {
  it.each([
    [{ connected: true, last_error: null }, true],
    [{ connected: false, last_error: null }, false],
    [{ connected: true, last_error: 'connection refused' }, false],
    [undefined, false],
  ])('returns for %j %s', (service, expected) => {
    expect(canSend(service)).toBe(expected);
  });
});

describe('watcherBody', () => {
  it('enables alerts, and omits the name when it is blank', () => {
    expect(watcherBody({ ...draft, name: ' ' })).toEqual({
      chips: ['web'],
      expiration_seconds: 3600,
      alert_budget_per_week: 3,
      min_severity: 0,
      min_duration_seconds: 0,
      direction: 'both',
      alert: true,
      email_users: [7],
      sms_users: [],
      chat_channel: '',
      teams_chat_webhook: '',
      pagerduty: false,
      alertmanager: false,
      webhook: false,
    });
  });

  it('contains the trimmed name', () => {
    expect(watcherBody({ ...draft, name: ' Web tier ' })).toMatchObject({ name: 'Web tier' });
  });
});

describe('previewBody', () => {
  it('contains only the members that the algorithm of the threshold uses', () => {
    const common = { chips: ['web'], expiration_seconds: 3600, times_in_a_row: 3 };
    expect(previewBody(limit)).toEqual({ ...common, algorithm: 'above', value: 500, function: 'none' });
    const of = (change: Partial<WatcherDraft['threshold']>) =>
      previewBody({ ...limit, threshold: { ...limit.threshold, ...change } });
    expect(of({ algorithm: 'outside', upper: 900, fn: 'mean' })).toEqual({
      ...common,
      algorithm: 'outside',
      value: 500,
      value_upper: 900,
      function: 'mean',
      function_seconds: 300,
    });
    expect(of({ algorithm: 'no_data' })).toEqual({ ...common, algorithm: 'no_data', value: 1800 });
    expect(of({ algorithm: 'drop_off', minimumAvg: 10 })).toEqual({
      ...common,
      algorithm: 'drop_off',
      minimum_avg: 10,
      drop_percent: 90,
    });
  });
});

describe('lackOf', () => {
  const lack = (change: Partial<WatcherDraft['threshold']>) =>
    lackOf({ ...limit, threshold: { ...limit.threshold, ...change } });

  it('returns the name of the missing or invalid field, or null', () => {
    expect(lackOf(draft)).toBeNull();
    expect(lackOf({ ...draft, chips: [] })).toBe('chips');
    expect(lack({})).toBeNull();
    expect(lack({ value: null })).toBe('value');
    expect(lack({ algorithm: 'outside', upper: 400 })).toBe('upper');
    expect(lack({ algorithm: 'no_data', silenceMinutes: null })).toBe('silence');
    expect(lack({ algorithm: 'drop_off' })).toBe('minimumAvg');
    expect(lack({ fn: 'max', fnMinutes: null })).toBe('fnMinutes');
  });
});

describe('draftOf', () => {
  it('restores the draft from a stored watcher', () => {
    const watcher = {
      type: 'threshold',
      name: 'Slow',
      chips: ['web'],
      alert_budget_per_week: null,
      min_severity: 0,
      min_duration_seconds: 0,
      direction: 'both',
      threshold: {
        algorithm: 'above',
        value: 500,
        value_upper: null,
        times_in_a_row: 3,
        function: 'none',
        function_seconds: null,
        minimum_avg: null,
        minimum_avg_seconds: null,
        drop_percent: null,
      },
      expiration_seconds: 3600,
      alert_users: { email: [{ id: 7 }], sms: [], chat_mentions: [] },
      chat_channel: null,
      teams_chat_webhook: null,
      pagerduty: false,
      alertmanager: false,
      webhook: false,
    } as unknown as Schema<'WatcherDto'>;
    expect(draftOf(watcher)).toEqual({ ...limit, name: 'Slow', budget: null });
  });
});

describe('budgetChoices', () => {
  it('include the current budget', () => {
    expect(budgetChoices(3)).toContain(3);
    expect(budgetChoices(4).slice(4, 7)).toEqual([3, 4, 5]);
    expect(budgetChoices(null).at(-1)).toBeNull();
  });
});

describe('linesOf', () => {
  it('returns the limits that can be drawn as lines', () => {
    expect(linesOf(limit.threshold)).toEqual([{ key: 'value', value: 500 }]);
    expect(linesOf({ ...limit.threshold, algorithm: 'outside' })).toHaveLength(2);
    expect(linesOf({ ...limit.threshold, algorithm: 'no_data' })).toEqual([]);
  });
});

describe('weeksOf', () => {
  it('returns every day of four weeks up to the last day, including days without messages', () => {
    const weeks = weeksOf([{ date: '2025-10-11', alerts: 2, suppressed: 5 }], '2025-10-12');
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7]);
    expect(weeks[0]![0]).toEqual({ date: '2025-09-15', sent: 0, keptBack: 0 });
    expect(weeks[3]!.slice(-2)).toEqual([
      { date: '2025-10-11', sent: 2, keptBack: 5 },
      { date: '2025-10-12', sent: 0, keptBack: 0 },
    ]);
    expect(sentLastWeek(weeks)).toBe(2);
  });
});
