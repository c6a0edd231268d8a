/** Length of a slot of a metric whose interval is not known yet, as in the detector. */
export const UNKNOWN_SLOT_SECONDS = 60;

/** End of the slot that starts at `timestamp`. Unix seconds. */
export function endOfSlot(timestamp: number, resolutionSeconds: number | null): number {
  return timestamp + (resolutionSeconds ?? UNKNOWN_SLOT_SECONDS);
}

/**
 * SQL: the end of anomaly `a`, up to which its length is counted everywhere: the end of its last anomalous slot, Unix
 * seconds. It is known once values are normal again, also while the anomaly is still open; null before.
 */
export const OUT_UNTIL_SQL = `ceil(coalesce(a.out_until_timestamp, a.end_timestamp + coalesce(
  (SELECT s.resolution_seconds FROM metric s WHERE s.id = a.metric_id), ${String(UNKNOWN_SLOT_SECONDS)})))`;

/** SQL: the same of an anomaly `a` that has ended; null while it is open. */
export const ENDED_SQL = `CASE WHEN a.end_timestamp IS NOT NULL THEN ${OUT_UNTIL_SQL} END`;
