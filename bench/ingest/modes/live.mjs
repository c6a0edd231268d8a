/**
 * As `history`, but all points bear the time of sending: many points of a slot, as from senders that are too eager.
 * What is stored is little; what is taken, ordered and looked at is the same.
 */
import { measureThroughput } from '../throughput.mjs';

export const run = (options) => measureThroughput(options, { isHistory: false });
