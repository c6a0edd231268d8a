import { type AlertChannel, type AlertContent, type Destination } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';

/** What a channel is handed to send. */
export interface ChannelMessage {
  /** UUID that stays the same over all tries: idempotency key, Message-ID, webhook-id. */
  id: string;
  orgId: number;
  content: AlertContent;
  destination: Destination;
  /** What the channel answered to the first message about the same subject to the same destination, for threads and updates. */
  thread: string | null;
  /** Unix seconds. */
  createdAt: number;
}

/** What the service has taken. */
export interface ChannelReceipt {
  /** What later messages of the same subject refer to, such as the time stamp of a chat message; null where there is none. */
  thread: string | null;
}

/** One way out. Stands in a folder of its own; `ChannelRegistryService.register` makes it known. */
export interface Channel {
  readonly id: AlertChannel;
  /** Whether the service takes the same `id` only once; where not, a process that dies between sending and recording leads to a second message. */
  readonly isIdempotent: boolean;
  /** Whether a sent message can be changed as its subject grows; else only phases are sent. */
  readonly canUpdate: boolean;
  /** Seconds after which an open subject is sent again unchanged (Alertmanager); null: never. */
  readonly repeatSeconds: number | null;
  /**
   * Whether the organisation has set up what it needs; answers what is missing, null when nothing is.
   * @param destination where it is to go, which may bring along what is needed; left out: wherever the organisation says
   * @param tx whose settings count, also those that are not committed
   */
  missing(orgId: number, destination?: Destination, tx?: Tx): Promise<string | null>;
  /**
   * Those of the places that the service does not have for certain, such as channels of a chat; of a service that cannot
   * be asked, none. Left out where recipients are no places of the service.
   * @param secret that the organisation is about to set in place of the one that is stored
   */
  unknownPlaces?(orgId: number, places: readonly string[], secret?: string): Promise<readonly string[]>;
  /** @throws ChannelError, for what the service refused or did not answer; all other errors count as `later` */
  send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt>;
}
