/**
 * Measures how many points per second pass through the whole product: accepted, durable, scored, stored, readable.
 * Every point is in a separate slot: a round has a point of each series, the next round is a minute later, and all of
 * it is history (backfill). VictoriaMetrics receives the same bodies from the same sender; it only stores them.
 */
import { measureThroughput } from '../throughput.mjs';

export const run = (options) => measureThroughput(options, { isHistory: true });
