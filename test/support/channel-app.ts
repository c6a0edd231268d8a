import { randomUUID } from 'node:crypto';
import { type AlertChannel, type AlertContent, type Destination } from '#libs/alerting';
import {
  AlertPicturesService,
  type PictureSource,
} from '../../apps/server/src/alerting/channel/alert-pictures.service.js';
import { ChannelRegistryService } from '../../apps/server/src/alerting/channel/channel-registry.service.js';
import { ChannelError } from '../../apps/server/src/alerting/channel/channel.errors.js';
import { type Channel, type ChannelMessage } from '../../apps/server/src/alerting/channel/channel.types.js';
import { findService } from '../../apps/server/src/alerting/integration/service-lookup.functions.js';
import { IntegrationModule } from '../../apps/server/src/alerting/integration/integration.module.js';
import { type StoredValues } from '../../apps/server/src/alerting/integration/service-definition.types.js';
import { type ServiceId } from '../../apps/server/src/alerting/integration/services.types.js';
import { SettingsStoreService } from '../../apps/server/src/alerting/integration/settings-store.service.js';
import { Transactions } from '../../apps/server/src/common/database/transactions.js';
import { OrgService } from '../../apps/server/src/people/org/org.service.js';
import { START } from './alert-contents.js';
import { AreaApp } from './area-app.js';
import { HandClock } from './hand-clock.js';

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Integrations with their channels, and pictures that the test provides. */
export class ChannelApp extends AreaApp {
  static async create(env: Record<string, string> = {}): Promise<ChannelApp> {
    const clock = new HandClock();
    clock.seconds = START + 30;
    return new ChannelApp(
      await this.start([IntegrationModule], { env: { PLUMBLINE_OUTGOING: 'any', ...env }, clock }),
      clock,
    );
  }

  async connect(orgId: number, serviceId: ServiceId, values: StoredValues): Promise<void> {
    await this.get(Transactions).run(async (tx) => {
      await this.get(OrgService).lock(orgId, tx);
      await this.get(SettingsStoreService).write(orgId, findService(serviceId)!, values, tx);
    });
  }

  drawWith(draw: PictureSource['draw']): void {
    this.get(AlertPicturesService).register({ draw });
  }

  channel(id: AlertChannel): Channel {
    return this.get(ChannelRegistryService).find(id)!;
  }

  /** Sends the message; returns the thread for later messages. */
  async send(message: ChannelMessage): Promise<string | null> {
    const { thread } = await this.channel(message.destination.channel).send(message, new AbortController().signal);
    return thread;
  }

  /** The error with which the channel rejects the message. */
  async refusalOf(message: ChannelMessage): Promise<Pick<ChannelError, 'kind' | 'message' | 'retryAfterSeconds'>> {
    const error: unknown = await this.send(message).then(
      () => new Error('it was taken'),
      (reason: unknown) => reason,
    );
    if (!(error instanceof ChannelError)) throw error;
    const { kind, message: text, retryAfterSeconds } = error;
    return { kind, message: text, retryAfterSeconds };
  }
}

export function aMessage(
  orgId: number,
  content: AlertContent,
  destination: Pick<Destination, 'channel' | 'recipient'> & Partial<Destination>,
  thread: string | null = null,
): ChannelMessage {
  return {
    id: randomUUID(),
    orgId,
    content,
    destination: { userId: null, mentions: [], ...destination },
    thread,
    createdAt: START + 30,
  };
}
