/**
 * How many points a second go the whole way: accepted, durable, scored, stored, readable. Every point is a slot of its
 * own: a round has a point of each series, the next round is a minute later, and all of it is history (back-fill).
 * VictoriaMetrics takes the same bodies from the same sender; it only stores.
 */
import { measureThroughput } from '../throughput.mjs';

export const run = (options) => measureThroughput(options, { isHistory: true });
