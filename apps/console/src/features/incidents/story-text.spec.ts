import { type Schema } from '../../lib/api';
import { storyOf, type StoryEntry } from './story';
import { plainText, sentenceOf } from './story-text';

const START = Date.UTC(2026, 0, 26, 7, 30) / 1000;
const reader = { zone: 'UTC', now: START + 900 };
const incident = { started_timestamp: START, ended_timestamp: null, anomalies_count: 1 };

const textsOf = (anomalies: readonly object[], deliveries: readonly object[]): string[] =>
  storyOf(incident, anomalies as Schema<'AnomalyDto'>[], deliveries as Schema<'DeliveryDto'>[]).map((entry) =>
    plainText(sentenceOf(entry, incident, reader)).replaceAll(/[\u2066-\u2069]/g, ''),
  );

describe('an anomaly in the course of an incident', () => {
  it('is described with its peak, like in the title of the incident', () => {
    const limits = { expected_range_lower: 20, expected_range_upper: 40, unit: '%' };
    const times = { timestamp: START, until_timestamp: null, out_until_timestamp: null, acknowledged_at: null };
    const anomaly = { id: 1, metric: 'cpu', kind: 'level_shift_up', value: 41, peak_value: 93, ...limits, ...times };
    expect(textsOf([anomaly], [])).toEqual(['cpu rose to 93 % (usual 20 to 40 %).']);
  });
});

describe('a message in the course of an incident', () => {
  const message = {
    ...{ id: 1, timestamp: START + 60, watcher_id: 1, watcher_name: 'Checkout', channel: 'email' },
    ...{ recipient: 'ann@example.org', state: 'sent', suppressed_by: null, message: '', attempts: 1 },
    ...{ phase: 'opened', title: 'Major: shop.orders fell to 12' },
  };

  it('has its phase and its title', () => {
    const later = { ...message, id: 2, timestamp: START + 600, phase: 'recovered' };
    expect(
      textsOf(
        [],
        [
          message,
          { ...later, state: 'suppressed', suppressed_by: 'muted', title: 'Recovered: shop.orders' },
          { ...later, id: 3, channel: 'demo', phase: 'updated', title: 'Critical: shop.orders fell to 12' },
        ],
      ),
    ).toEqual([
      'Mail to ann@example.org, watcher Checkout (opened: “Major: shop.orders fell to 12”).',
      'Message recorded in the demo mailbox, watcher Checkout (updated: “Critical: shop.orders fell to 12”); ' +
        'nothing was sent.',
      'Mail to ann@example.org, watcher Checkout (recovered: “Recovered: shop.orders”): suppressed, alerts are muted.',
    ]);
  });
});

const NOW = 1_760_000_040;

function textOf(deliveries: readonly Partial<Schema<'DeliveryDto'>>[]): string {
  const whole = deliveries.map((delivery) => ({
    channel: 'email',
    recipient: 'ann@example.org',
    state: 'sent',
    suppressed_by: null,
    watcher_id: 1,
    watcher_name: 'Checkout',
    message: '',
    attempts: 1,
    phase: 'opened',
    title: 'Major: cpu rose',
    ...delivery,
  })) as unknown as StoryEntry['deliveries'];
  const entry: StoryEntry = { key: 'message', kind: 'sent', at: NOW, anomalies: [], deliveries: whole };
  const incident = { started_timestamp: NOW, anomalies_count: 1 };
  return plainText(sentenceOf(entry, incident, { zone: 'UTC', now: NOW }));
}

describe('the sentence about messages', () => {
  it('names the recipient of one message', () => {
    expect(textOf([{}])).toBe('Mail to ann@example.org, watcher Checkout (opened: “Major: cpu rose”).');
  });

  it('names recipients with one message each, and counts those that are not named', () => {
    const to = (name: string) => ({ recipient: `${name}@example.org` });
    expect(textOf([to('ann'), to('bob')])).toBe(
      'Mail to ann@example.org, bob@example.org, watcher Checkout (opened: “Major: cpu rose”).',
    );
    expect(textOf(['ann', 'bob', 'cleo', 'dan'].map(to))).toBe(
      'Mail to ann@example.org, bob@example.org and 2 more, watcher Checkout (opened: “Major: cpu rose”).',
    );
  });

  it('counts messages separately from recipients', () => {
    expect(textOf([{}, {}])).toBe('Mail, 2 messages to ann@example.org, watcher Checkout (opened: “Major: cpu rose”).');
    const recipients = ['ann', 'ann', 'bob', 'cleo'].map((name) => ({ recipient: `${name}@example.org` }));
    expect(textOf(recipients)).toBe(
      'Mail, 4 messages to ann@example.org, bob@example.org and 1 more, watcher Checkout (opened: “Major: cpu rose”).',
    );
  });

  it('counts only messages for readers who may not see addresses', () => {
    expect(textOf([{ recipient: '' }])).toBe('Mail, watcher Checkout (opened: “Major: cpu rose”).');
    expect(textOf([{ recipient: '' }, { recipient: '' }])).toBe(
      'Mail, 2 messages, watcher Checkout (opened: “Major: cpu rose”).',
    );
  });

  it('counts messages of the demo mailbox', () => {
    const demo = { channel: 'demo', watcher_id: null } as const;
    expect(textOf([demo])).toBe('Message recorded in the demo mailbox (opened: “Major: cpu rose”); nothing was sent.');
    expect(textOf([demo, demo])).toBe(
      '2 messages recorded in the demo mailbox (opened: “Major: cpu rose”); nothing was sent.',
    );
  });

  it('states why messages failed', () => {
    expect(textOf([{ state: 'failed', attempts: 8, message: 'refused' }])).toBe(
      'Mail to ann@example.org, watcher Checkout (opened: “Major: cpu rose”): failed after 8 attempts: refused.',
    );
  });
});
