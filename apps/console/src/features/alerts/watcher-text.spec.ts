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
  it('says which anomalies a watcher sends', () => {
    const parts = conditionsOf(
      watcher({ min_severity: 50, min_duration_seconds: 300, direction: 'up', kinds: ['spike'] }),
    );
    expect(parts).toEqual(['from severity 50 on', 'lasting 5 min', 'only up', 'spike']);
  });

  it('says that all are sent where nothing is asked for', () => {
    expect(conditionsOf(watcher({}))).toEqual(['any severity']);
  });

  it('says how long silence lasts', () => {
    const threshold = {
      algorithm: 'no_data',
      value: 1800,
      function: 'none',
      function_seconds: null,
      times_in_a_row: 1,
    };
    expect(conditionsOf(watcher({ threshold }))).toEqual(['silent for 30 min']);
  });

  it('says limits with what they are compared with', () => {
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
  it('names few people, and counts those whose names may not be seen', () => {
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

  it('is empty where the organisation decides', () => {
    expect(destinationsOf(watcher({}))).toEqual([]);
  });

  it('says that the messages of a demo are only recorded', () => {
    expect(destinationsOf(watcher({ demo_mailbox: true }))).toEqual(['the demo mailbox: nothing leaves the demo']);
  });
});
