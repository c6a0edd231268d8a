/**
 * Like `history`, but all points have the time of sending: many points per slot, as from senders with a very short
 * interval. Little is stored; as much is accepted, sorted and judged.
 */
import { measureThroughput } from '../throughput.mjs';

export const run = (options) => measureThroughput(options, { isHistory: false });
