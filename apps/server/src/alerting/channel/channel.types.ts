import { type AlertChannel, type AlertContent, type Destination } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';

/** A message for a channel. */
export interface ChannelMessage {
  /** UUID that stays the same over all tries: idempotency key, Message-ID, webhook-id. */
  id: string;
  orgId: number;
  content: AlertContent;
  destination: Destination;
  /**
   * The channel's answer to the first message about the same subject to the same destination, for threads and updates.
   */
  thread: string | null;
  /** Unix seconds. */
  createdAt: number;
}

/** The receipt of an accepted message. */
export interface ChannelReceipt {
  /**
   * The reference for later messages of the same subject, such as the time stamp of a chat message; null if there is
   * none.
   */
  thread: string | null;
}

/** A channel, in a separate folder; `ChannelRegistryService.register` registers it. */
export interface Channel {
  readonly id: AlertChannel;
  /**
   * True if the service accepts the same `id` only once; otherwise a process that dies between sending and recording
   * causes a second message.
   */
  readonly isIdempotent: boolean;
  /** True if a sent message can be changed as its subject grows; otherwise only phases are sent. */
  readonly canUpdate: boolean;
  /** Seconds after which an open subject is sent again unchanged (Alertmanager); null: never. */
  readonly repeatSeconds: number | null;
  /**
   * Checks whether the organisation has set up the channel; returns the missing setting, or null.
   * @param destination the destination, which may contain the setting; omitted: the default of the organisation
   * @param tx a transaction whose uncommitted settings count
   */
  missing(orgId: number, destination?: Destination, tx?: Tx): Promise<string | null>;
  /**
   * The places that certainly do not exist at the service, such as channels of a chat; none if the service cannot be
   * reached. Omitted if recipients are not places of the service.
   * @param secret a new secret of the organisation, to be used instead of the stored one
   */
  unknownPlaces?(orgId: number, places: readonly string[], secret?: string): Promise<readonly string[]>;
  /** @throws ChannelError, if the service refused or did not answer; all other errors count as `later` */
  send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt>;
}
