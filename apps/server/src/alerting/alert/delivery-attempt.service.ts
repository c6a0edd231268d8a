import { Injectable } from '@nestjs/common';
import { type AlertChannel, type Suppression } from '#libs/alerting';
import { messageOf } from '../../common/errors/message-of.js';
import { inSpan, LINKS } from '../../common/telemetry/tracing.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { ChannelError } from '../channel/channel.errors.js';
import { type ChannelMessage } from '../channel/channel.types.js';
import { type PendingDelivery } from './alert-delivery.repository.js';
import { SendChecksService } from './send-checks.service.js';

/** Longer than any channel takes by itself. */
const LONGEST_TRY_MS = 30_000;

/** The result of a try. */
export type Attempt =
  | { result: 'taken'; thread: string | null; repeatSeconds: number | null }
  | { result: 'refused'; kind: ChannelError['kind']; reason: string; retryAfterSeconds: number | null }
  /** It was not sent: it is no longer wanted, or not yet. */
  | { result: 'unwanted'; reason: Suppression }
  | { result: 'early'; until: number };

/** Passes a message that is still wanted to its channel. */
@Injectable()
export class DeliveryAttemptService {
  constructor(
    private readonly channels: ChannelRegistryService,
    private readonly sendChecks: SendChecksService,
  ) {}

  /** True if this process can send by the channel; others may. */
  canSendBy(id: AlertChannel): boolean {
    return this.channels.find(id) !== undefined;
  }

  /** Never rejects. */
  attempt(delivery: PendingDelivery, stopped: AbortSignal): Promise<Attempt> {
    const { channel, orgId } = delivery;
    const options = () => ({
      kind: 'producer' as const,
      linkedTo: LINKS.plan(orgId),
      attributes: { 'plumbline.channel': channel },
    });
    return inSpan('alert delivery', options, async (span) => {
      const attempt = await this.tryOnce(delivery, stopped);
      span?.set({ 'plumbline.result': attempt.result });
      if (attempt.result === 'refused') span?.fail(undefined);
      return attempt;
    });
  }

  private async tryOnce(delivery: PendingDelivery, stopped: AbortSignal): Promise<Attempt> {
    try {
      const decision = delivery.state === 'sent' ? null : await this.sendChecks.decide(delivery);
      if (decision?.type === 'suppress') return { result: 'unwanted', reason: decision.reason };
      if (decision?.type === 'wait') return { result: 'early', until: decision.until };
      const channel = this.channels.find(delivery.channel);
      if (channel === undefined) throw new ChannelError('later', 'this process does not have the channel');
      const message = messageFor(delivery);
      const missing = await channel.missing(delivery.orgId, message.destination);
      if (missing !== null) throw new ChannelError('never', missing);
      const timeout = AbortSignal.timeout(LONGEST_TRY_MS);
      const { thread } = await channel.send(message, AbortSignal.any([stopped, timeout]));
      return { result: 'taken', thread, repeatSeconds: channel.repeatSeconds };
    } catch (error) {
      const known = error instanceof ChannelError ? error : new ChannelError('later', messageOf(error));
      const { kind, message: reason, retryAfterSeconds } = known;
      return { result: 'refused', kind, reason, retryAfterSeconds };
    }
  }
}

function messageFor(delivery: PendingDelivery): ChannelMessage {
  const { messageId, orgId, content, thread, createdAt, channel, recipient, userId, mentions } = delivery;
  return { id: messageId, orgId, content, destination: { channel, recipient, userId, mentions }, thread, createdAt };
}
