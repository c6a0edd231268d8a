import { type FairQueue } from '../fair-share/fair-queue.js';

/** A claimed row. */
export interface OutboxRow {
  /** How often it has been tried, this time included. */
  tries: number;
}

export interface WaitingLane {
  lane: string;
  /** Unix seconds. */
  sendAt: number;
}

/** The table of waiting rows; see OutboxClaimingRepository. */
export interface OutboxRows<Row extends OutboxRow> {
  waitingLanesOfAll(): Promise<WaitingLane[]>;
  claimOfAll(lane: string, now: number, leaseSeconds: number): Promise<Row | undefined>;
}

/** How the rows of a lane have their turns. */
export interface LaneQueue {
  turns: FairQueue;
  /** The party that has a turn, such as `org:7`. */
  party: string;
  /** Rows of this lane that are tried at the same time. */
  atOnce: number;
}
