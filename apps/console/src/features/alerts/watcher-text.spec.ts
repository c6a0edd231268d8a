import { type Schema } from '../../lib/api';
import { conditionsOf, destinationsOf } from './watcher-text';

const watcher = (over: object) =>
  ({
    threshold: null,
    min_severity: 0,
    min_duration_seconds: 0,
    direction: 'both',
    kinds: [],
    alert_users: { email: [], sms: [], chat_mentions: [] },
    chat_channel: null,
    teams_chat_webhook: null,
    pagerduty: false,
    alertmanager: false,
    webhook: false,
    demo_mailbox: false,
    summary_report_frequency: null,
    ...over,
  }) as unknown as Schema<'WatcherDto'>;

describe('conditionsOf', () => {
  it('lists the conditions of an anomaly watcher', () => {
    const parts = conditionsOf(
      watcher({ min_severity: 50, min_duration_seconds: 300, direction: 'up', kinds: ['spike'] }),
    );
    expect(parts).toEqual(['from severity 50 on', 'lasting 5 min', 'only up', 'spike']);
  });

  it('returns "any severity" without conditions', () => {
    expect(conditionsOf(watcher({}))).toEqual(['any severity']);
  });

  it('states how long a metric is silent', () => {
    const threshold = {
      algorithm: 'no_data',
      value: 1800,
      function: 'none',
      function_seconds: null,
      times_in_a_row: 1,
    };
    expect(conditionsOf(watcher({ threshold }))).toEqual(['silent for 30 min']);
  });

  it('lists the limits and the aggregation they are compared with', () => {
    const threshold = {
      algorithm: 'outside',
      value: 1,
      value_upper: 9.5,
      function: 'mean',
      function_seconds: 600,
      times_in_a_row: 3,
    };
    expect(conditionsOf(watcher({ threshold }))).toEqual(['outside of 1 to 9.5', 'mean of 10 min', '3 times in a row']);
  });
});

describe('destinationsOf', () => {
  it('names recipients, and counts those with hidden names', () => {
    const email = [
      { name: 'Ada', email: '' },
      { name: '', email: 'bob@example.org' },
    ];
    const sms = [{ name: '', email: '' }];
    expect(destinationsOf(watcher({ alert_users: { email, sms, chat_mentions: [] } }))).toEqual([
      'mail to Ada, bob@example.org',
      'text message to 1 person',
    ]);
  });

  it('is empty when the watcher names no destination', () => {
    expect(destinationsOf(watcher({}))).toEqual([]);
  });

  it('reports that a demo only records its messages', () => {
    expect(destinationsOf(watcher({ demo_mailbox: true }))).toEqual(['the demo mailbox: nothing leaves the demo']);
  });
});
