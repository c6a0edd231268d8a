import { type AlertChannel, type AlertPhase, type Destination, destinationKey } from '#libs/alerting';
import { type DeliveryState } from './alert.types.js';

/** A message of the current life of an alert, for planning. */
export interface KnownDelivery {
  id: number;
  destination: Destination;
  phase: AlertPhase;
  state: DeliveryState;
  tries: number;
  /** A process is sending it: a change may not be in the sent message. */
  isBeingSent: boolean;
}

/** The steps for deliveries when a message is queued. */
export interface DeliverySteps {
  /** Not sent yet: they get the new content. */
  replace: readonly KnownDelivery[];
  /** Not sent yet and no longer useful. */
  drop: readonly KnownDelivery[];
  /** New messages. */
  add: readonly { destination: Destination; phase: AlertPhase }[];
}

export interface DeliveryPlan {
  phase: AlertPhase;
  destinations: readonly Destination[];
  /** Sends a message even if a sent one cannot be changed; default: if the destination did not get that phase yet. */
  needsNewMessage?: boolean;
  canUpdate: (channel: AlertChannel) => boolean;
}

const isLive = ({ state }: KnownDelivery): boolean => state === 'queued' || state === 'retrying' || state === 'sent';
const isWaiting = ({ state }: KnownDelivery): boolean => state === 'queued' || state === 'retrying';

/** Decides for each destination whether a message changes, is added, or nothing is sent. `known`: oldest first. */
export function stepsOf(plan: DeliveryPlan, known: readonly KnownDelivery[]): DeliverySteps {
  const byDestination = new Map<string, KnownDelivery[]>();
  for (const delivery of known.filter(isLive)) {
    const key = destinationKey(delivery.destination);
    byDestination.set(key, [...(byDestination.get(key) ?? []), delivery]);
  }
  const steps = {
    replace: [] as KnownDelivery[],
    drop: [] as KnownDelivery[],
    add: [] as DeliverySteps['add'][number][],
  };
  const destinations = new Map(plan.destinations.map((one) => [destinationKey(one), one]));
  if (plan.phase === 'opened' || plan.phase === 'updated') {
    for (const [key, destination] of destinations) grow(plan, destination, byDestination.get(key) ?? [], steps);
  } else {
    for (const [key, mine] of byDestination) if (destinations.has(key)) follow(plan.phase, mine, steps);
  }
  return steps;
}

type Steps = { [Key in keyof DeliverySteps]: DeliverySteps[Key][number][] };

/** The first message to a destination, or an update. */
function grow(plan: DeliveryPlan, destination: Destination, mine: readonly KnownDelivery[], steps: Steps): void {
  const last = mine.at(-1);
  if (last === undefined) {
    steps.add.push({ destination, phase: 'opened' });
    return;
  }
  const isReplaceable = isWaiting(last) && (last.phase === 'opened' || last.phase === 'updated');
  if (isReplaceable) steps.replace.push(last);
  if (isReplaceable && !last.isBeingSent) return;
  const needsNewMessage =
    plan.needsNewMessage ?? (plan.phase === 'updated' && !mine.some(({ phase }) => phase === 'updated'));
  if (needsNewMessage || plan.canUpdate(destination.channel)) steps.add.push({ destination, phase: 'updated' });
}

/** Follow-up messages for the destinations that got the opening: each phase once. */
function follow(phase: AlertPhase, mine: readonly KnownDelivery[], steps: Steps): void {
  if (!mine.some((one) => one.phase === 'opened')) return;
  const existing = mine.find((one) => one.phase === phase);
  if (existing !== undefined) {
    if (isWaiting(existing)) steps.replace.push(existing);
    return;
  }
  steps.drop.push(...mine.filter((one) => one.phase === 'updated' && isWaiting(one) && !one.isBeingSent));
  steps.add.push({ destination: mine.at(-1)!.destination, phase });
}
