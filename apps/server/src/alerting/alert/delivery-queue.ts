import { type AlertChannel, type Destination } from '#libs/alerting';
import { partsOfReference } from '../channel/server-reference.functions.js';

/** Channels whose recipients are different servers: one may be unavailable while others of the organisation work. */
const OWN_SERVERS: ReadonlySet<AlertChannel> = new Set(['teams_chat']);

export interface DeliveryQueue {
  orgId: number;
  channel: AlertChannel;
}

/**
 * Deliveries that fail together: `7/webhook/`, `7/teams_chat/5f0c…`. A server is represented by the reference of its
 * address.
 */
export function queueOf(orgId: number, { channel, recipient }: Pick<Destination, 'channel' | 'recipient'>): string {
  const serverDigest = OWN_SERVERS.has(channel) ? partsOfReference(recipient).digest : '';
  return `${String(orgId)}/${channel}/${serverDigest}`;
}

export function partsOfQueue(queue: string): DeliveryQueue {
  const [orgId, channel] = queue.split('/');
  return { orgId: Number(orgId), channel: channel as AlertChannel };
}
