import { type Schema } from '../../lib/api';
import { type StoryEntry } from './story';
import { plainText, sentenceOf } from './story-text';

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
    ...delivery,
  })) as unknown as StoryEntry['deliveries'];
  const entry: StoryEntry = { key: 'message', kind: 'sent', at: NOW, anomalies: [], deliveries: whole };
  const incident = { started_timestamp: NOW, anomalies_count: 1 };
  return plainText(sentenceOf(entry, incident, { zone: 'UTC', now: NOW }));
}

describe('the sentence about messages', () => {
  it('names the recipient of one message', () => {
    expect(textOf([{}])).toBe('Mail to ann@example.org, watcher Checkout.');
  });

  it('names recipients with one message each, and counts those that are not named', () => {
    const to = (name: string) => ({ recipient: `${name}@example.org` });
    expect(textOf([to('ann'), to('bob')])).toBe('Mail to ann@example.org, bob@example.org, watcher Checkout.');
    expect(textOf(['ann', 'bob', 'cleo', 'dan'].map(to))).toBe(
      'Mail to ann@example.org, bob@example.org and 2 more, watcher Checkout.',
    );
  });

  it('counts messages separately from recipients', () => {
    expect(textOf([{}, {}])).toBe('Mail, 2 messages to ann@example.org, watcher Checkout.');
    const recipients = ['ann', 'ann', 'bob', 'cleo'].map((name) => ({ recipient: `${name}@example.org` }));
    expect(textOf(recipients)).toBe(
      'Mail, 4 messages to ann@example.org, bob@example.org and 1 more, watcher Checkout.',
    );
  });

  it('counts only messages for readers who may not see addresses', () => {
    expect(textOf([{ recipient: '' }])).toBe('Mail, watcher Checkout.');
    expect(textOf([{ recipient: '' }, { recipient: '' }])).toBe('Mail, 2 messages, watcher Checkout.');
  });

  it('counts messages of the demo mailbox', () => {
    const demo = { channel: 'demo', watcher_id: null } as const;
    expect(textOf([demo])).toBe('Message recorded in the demo mailbox; nothing was sent.');
    expect(textOf([demo, demo])).toBe('2 messages recorded in the demo mailbox; nothing was sent.');
  });

  it('states why messages failed', () => {
    expect(textOf([{ state: 'failed', attempts: 8, message: 'refused' }])).toBe(
      'Mail to ann@example.org, watcher Checkout: failed after 8 attempts: refused.',
    );
  });
});
