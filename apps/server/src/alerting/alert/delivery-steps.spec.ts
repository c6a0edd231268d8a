import { type AlertPhase, type Destination } from '#libs/alerting';
import { type KnownDelivery, stepsOf, type DeliveryPlan } from './delivery-steps.js';

const ann: Destination = { channel: 'email', recipient: 'ann@example.org', userId: 1, mentions: [] };
const chat: Destination = { channel: 'chat', recipient: '#ops', userId: null, mentions: [] };

let nextId = 1;
const known = (destination: Destination, overrides: Partial<KnownDelivery> = {}): KnownDelivery => ({
  id: nextId++,
  destination,
  phase: 'opened',
  state: 'sent',
  tries: 1,
  isBeingSent: false,
  ...overrides,
});

function steps(phase: AlertPhase, deliveries: readonly KnownDelivery[], overrides: Partial<DeliveryPlan> = {}) {
  const plan = {
    phase,
    destinations: [ann, chat],
    canUpdate: (channel: string) => channel === 'chat',
    ...overrides,
  };
  const { replace, drop, add } = stepsOf(plan, deliveries);
  return {
    replace: replace.map(({ id }) => id),
    drop: drop.map(({ id }) => id),
    add: add.map((one) => `${one.phase} ${one.destination.recipient}`),
  };
}

describe('the steps of deliveries', () => {
  it('add one message per destination, even if a destination is listed twice', () => {
    const twice = { destinations: [ann, chat, { ...ann }] };
    expect(steps('opened', [], twice).add).toEqual(['opened ann@example.org', 'opened #ops']);
  });

  it('replace the content of a message that is not sent yet', () => {
    const waiting = known(ann, { state: 'queued', tries: 0 });
    const retrying = known(chat, { state: 'retrying' });
    expect(steps('opened', [waiting, retrying])).toEqual({ replace: [waiting.id, retrying.id], drop: [], add: [] });
    expect(steps('updated', [waiting, retrying])).toEqual({ replace: [waiting.id, retrying.id], drop: [], add: [] });
  });

  it('add an update after a message that is being sent', () => {
    const sending = known(chat, { state: 'queued', isBeingSent: true });
    expect(steps('opened', [sending], { destinations: [chat] })).toEqual({
      replace: [sending.id],
      drop: [],
      add: ['updated #ops'],
    });
  });

  it('update a sent message only on a channel that can change messages', () => {
    expect(steps('opened', [known(ann), known(chat)]).add).toEqual(['updated #ops']);
  });

  it('send a new phase, or content marked as news, to every destination', () => {
    const sent = [known(ann), known(chat)];
    expect(steps('updated', sent).add).toEqual(['updated ann@example.org', 'updated #ops']);
    const again = [...sent, known(ann, { phase: 'updated' }), known(chat, { phase: 'updated' })];
    expect(steps('updated', again).add).toEqual(['updated #ops']);
    expect(steps('updated', again, { needsNewMessage: true }).add).toEqual(['updated ann@example.org', 'updated #ops']);
  });

  it('add an opening for a new destination', () => {
    expect(steps('updated', [known(ann)]).add).toEqual(['updated ann@example.org', 'opened #ops']);
  });

  it('add another opening where the first one failed or was suppressed', () => {
    const given = [known(ann, { state: 'failed' }), known(chat, { state: 'suppressed' })];
    expect(steps('opened', given).add).toEqual(['opened ann@example.org', 'opened #ops']);
  });

  it.each(['acknowledged', 'recovered'] as const)(
    'add one message that it is %s for each destination that received the opening',
    (phase) => {
      const sent = [known(ann), known(chat, { state: 'failed' })];
      expect(steps(phase, sent).add).toEqual([`${phase} ann@example.org`]);
      expect(steps(phase, [known(ann)], { destinations: [chat] }).add).toEqual([]);
      expect(steps(phase, [...sent, known(ann, { phase })]).add).toEqual([]);
      expect(steps(phase, []).add).toEqual([]);
    },
  );

  it('drop a queued update when the alert recovers', () => {
    const growth = known(chat, { phase: 'updated', state: 'queued', tries: 0 });
    expect(steps('recovered', [known(chat), growth])).toEqual({
      replace: [],
      drop: [growth.id],
      add: ['recovered #ops'],
    });
  });
});
