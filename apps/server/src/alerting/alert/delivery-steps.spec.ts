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

describe('what becomes of deliveries', () => {
  it('begins with one message for each destination, however often that is named', () => {
    const twice = { destinations: [ann, chat, { ...ann }] };
    expect(steps('opened', [], twice).add).toEqual(['opened ann@example.org', 'opened #ops']);
  });

  it('says more in a message that is not sent yet', () => {
    const waiting = known(ann, { state: 'queued', tries: 0 });
    const retrying = known(chat, { state: 'retrying' });
    expect(steps('opened', [waiting, retrying])).toEqual({ replace: [waiting.id, retrying.id], drop: [], add: [] });
    expect(steps('updated', [waiting, retrying])).toEqual({ replace: [waiting.id, retrying.id], drop: [], add: [] });
  });

  it('follows a message that is being sent at this moment', () => {
    const sending = known(chat, { state: 'queued', isBeingSent: true });
    expect(steps('opened', [sending], { destinations: [chat] })).toEqual({
      replace: [sending.id],
      drop: [],
      add: ['updated #ops'],
    });
  });

  it('changes what was sent where the channel can, and repeats nothing elsewhere', () => {
    expect(steps('opened', [known(ann), known(chat)]).add).toEqual(['updated #ops']);
  });

  it('sends news everywhere: a phase that was not told yet, or what is called so', () => {
    const sent = [known(ann), known(chat)];
    expect(steps('updated', sent).add).toEqual(['updated ann@example.org', 'updated #ops']);
    const again = [...sent, known(ann, { phase: 'updated' }), known(chat, { phase: 'updated' })];
    expect(steps('updated', again).add).toEqual(['updated #ops']);
    expect(steps('updated', again, { needsNewMessage: true }).add).toEqual(['updated ann@example.org', 'updated #ops']);
  });

  it('begins with a destination that comes later', () => {
    expect(steps('updated', [known(ann)]).add).toEqual(['updated ann@example.org', 'opened #ops']);
  });

  it('begins again where the first message was given up or suppressed', () => {
    const given = [known(ann, { state: 'failed' }), known(chat, { state: 'suppressed' })];
    expect(steps('opened', given).add).toEqual(['opened ann@example.org', 'opened #ops']);
  });

  it.each(['acknowledged', 'recovered'] as const)('tells that it is %s once, where the beginning was told', (phase) => {
    const sent = [known(ann), known(chat, { state: 'failed' })];
    expect(steps(phase, sent).add).toEqual([`${phase} ann@example.org`]);
    expect(steps(phase, [known(ann)], { destinations: [chat] }).add).toEqual([]);
    expect(steps(phase, [...sent, known(ann, { phase })]).add).toEqual([]);
    expect(steps(phase, []).add).toEqual([]);
  });

  it('drops growth that is not told yet when it is over', () => {
    const growth = known(chat, { phase: 'updated', state: 'queued', tries: 0 });
    expect(steps('recovered', [known(chat), growth])).toEqual({
      replace: [],
      drop: [growth.id],
      add: ['recovered #ops'],
    });
  });
});
