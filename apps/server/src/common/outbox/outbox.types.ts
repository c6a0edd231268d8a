import { type FairQueue } from '../fair-share/fair-queue.js';

/** A claimed row. */
export interface OutboxRow {
  /** Number of tries, including the current one. */
  tries: number;
}

export interface WaitingQueue {
  queue: string;
  /** Unix seconds. */
  sendAt: number;
}

/** The table of waiting rows; see OutboxClaimingRepository. */
export interface OutboxRows<Row extends OutboxRow> {
  waitingQueuesOfAll(): Promise<WaitingQueue[]>;
  claimOfAll(queue: string, now: number, leaseSeconds: number): Promise<Row | undefined>;
}

/** The queue settings of a queue. */
export interface QueueSettings {
  turns: FairQueue;
  /** The party in the fair queue, such as `org:7`. */
  party: string;
  /** Maximum number of rows of this queue that are tried at the same time. */
  atOnce: number;
}
