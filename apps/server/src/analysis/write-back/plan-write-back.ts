import { DAY } from '../../common/time.js';

/** Slots of one turn: they are held in memory for all metrics of the source, and each is one request. */
const MAX_SLOTS = 120;
/** Older data that a store has missed is not written any more. */
const OLDEST_SECONDS = DAY;
/** Of a turn and the rest after it: the other part is for graphs that people wait for. */
const REST_PER_SECOND = 3;
const SOONEST_SECONDS = 2;
const LATEST_SECONDS = 60;

/** Starts of slots, Unix seconds, both inclusive. */
export interface WriteBackPlan {
  from: number;
  until: number;
  /** A metric with data up to this slot has all points of the others. */
  settledFrom: number;
  /** No more slots are closed at the moment. */
  isLast: boolean;
}

interface Progress {
  /** Start of the newest slot that is written; null before the first. */
  watermark: number | null;
  /** All points of the source up to here are stored. */
  readUntil: number;
  intervalSeconds: number;
  slotSeconds: number;
}

/** The slots that are closed and not written yet; the newest alone at first. Null: there is none. */
export function planWriteBack({
  watermark,
  readUntil,
  intervalSeconds,
  slotSeconds: slot,
}: Progress): WriteBackPlan | null {
  // A slot of several points is whole once the next one has begun; one point alone makes it whole.
  const behind = intervalSeconds < slot ? slot : 0;
  const newest = Math.floor(readUntil / slot) * slot - behind;
  const next = watermark === null ? newest : Math.floor(watermark / slot) * slot + slot;
  const from = Math.max(next, newest - OLDEST_SECONDS);
  if (from > newest) return null;
  const until = Math.min(newest, from + (MAX_SLOTS - 1) * slot);
  return { from, until, settledFrom: until + behind, isLast: until === newest };
}

/** Seconds until a source is looked at again of which no slot has been closed. */
export const pauseWithoutSlots = (intervalSeconds: number): number =>
  Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, intervalSeconds / 4));

/** Seconds to rest after a turn: the longer it took, the longer, so that the slots of many metrics are written in larger parts. */
export const restAfter = (tookSeconds: number, { isLast }: WriteBackPlan, intervalSeconds: number): number =>
  Math.max(tookSeconds * REST_PER_SECOND, isLast ? pauseWithoutSlots(intervalSeconds) : 0);
