import { DAY } from '../../common/time.js';

/** Maximum number of slots per turn: they are held in memory for all metrics of the source, and each is one request. */
const MAX_SLOTS = 120;
/** Older data that a store has missed is no longer written. */
const OLDEST_SECONDS = DAY;
/** Maximum share of a turn in the time including the pause after it: the rest is for graphs that people wait for. */
const REST_PER_SECOND = 3;
const SOONEST_SECONDS = 2;
const LATEST_SECONDS = 60;

/** Starts of slots, Unix seconds, both inclusive. */
export interface WriteBackPlan {
  from: number;
  until: number;
  /** If a metric has data up to this slot, all points of the others have arrived. */
  settledFrom: number;
  /** No more slots are closed at the moment. */
  isLast: boolean;
}

interface Progress {
  /** Start of the newest written slot; null before the first. */
  watermark: number | null;
  /** All points of the source up to here are stored. */
  readUntil: number;
  intervalSeconds: number;
  slotSeconds: number;
}

/** The closed slots that are not written yet; at first only the newest. Null: there is none. */
export function planWriteBack({
  watermark,
  readUntil,
  intervalSeconds,
  slotSeconds: slot,
}: Progress): WriteBackPlan | null {
  // A slot of several points is complete once the next one has begun; a slot of one point is complete with it.
  const behind = intervalSeconds < slot ? slot : 0;
  const newest = Math.floor(readUntil / slot) * slot - behind;
  const next = watermark === null ? newest : Math.floor(watermark / slot) * slot + slot;
  const from = Math.max(next, newest - OLDEST_SECONDS);
  if (from > newest) return null;
  const until = Math.min(newest, from + (MAX_SLOTS - 1) * slot);
  return { from, until, settledFrom: until + behind, isLast: until === newest };
}

/** Seconds until the next check of a source without a newly closed slot. */
export const pauseWithoutSlots = (intervalSeconds: number): number =>
  Math.min(LATEST_SECONDS, Math.max(SOONEST_SECONDS, intervalSeconds / 4));

/**
 * Seconds of pause after a turn: the longer it took, the longer, so that the slots of many metrics are written in
 * larger parts.
 */
export const restAfter = (tookSeconds: number, { isLast }: WriteBackPlan, intervalSeconds: number): number =>
  Math.max(tookSeconds * REST_PER_SECOND, isLast ? pauseWithoutSlots(intervalSeconds) : 0);
