import { watcherBody, weeksOf, type WatcherDraft } from './new-watcher';

describe('watcherBody', () => {
  const draft: WatcherDraft = { name: ' ', chips: ['web'], budget: 3, minSeverity: 0, mailTo: [7] };

  it('alerts, and leaves the name to the server where none is typed', () => {
    expect(watcherBody(draft)).toEqual({
      chips: ['web'],
      alert_budget_per_week: 3,
      min_severity: 0,
      alert: true,
      email_users: [7],
    });
  });

  it('has the name that was typed', () => {
    expect(watcherBody({ ...draft, name: ' Web tier ' })).toMatchObject({ name: 'Web tier' });
  });
});

describe('weeksOf', () => {
  it('has every day up to the last one, also those without a message', () => {
    const weeks = weeksOf([{ date: '2025-10-11', alerts: 2, suppressed: 5 }], '2025-10-12');
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7]);
    expect(weeks[0]![0]).toEqual({ date: '2025-09-15', sent: 0, keptBack: 0 });
    expect(weeks[3]!.slice(-2)).toEqual([
      { date: '2025-10-11', sent: 2, keptBack: 5 },
      { date: '2025-10-12', sent: 0, keptBack: 0 },
    ]);
  });
});
