import { type SeriesDefinition } from '#libs/detection';
import { type SeriesStore } from '#libs/series';
import { type StoredHistory } from './shard-host.js';

/** Minimum length of slots that are older than those of tier 1, seconds. */
const ROLLED_SECONDS = 600;

/**
 * The stored points of a series between two times (Unix seconds, both inclusive), for a detector that learns it again.
 * Slots of tier 1 are deleted after a week; roll-ups replace them, because without earlier weekends the next one would
 * look unusual.
 */
export async function readStoredHistory(
  series: Pick<SeriesStore, 'readRaw' | 'read'>,
  { id, type, slotSeconds }: SeriesDefinition,
  from: number,
  until: number,
): Promise<StoredHistory> {
  const slots = await series.readRaw(id, from, until);
  const first = slots.timestamps[0];
  if (first === undefined || first <= from) return { id, ...slots };
  const resolutionSeconds = Math.ceil(ROLLED_SECONDS / slotSeconds) * slotSeconds;
  const rolled = await series.read({
    id,
    from,
    // A roll-up that overlaps the slots would be learnt twice.
    until: first - resolutionSeconds,
    resolutionSeconds,
    // For a counter its reading, otherwise the usual value in a slot.
    function: type === 'counter' ? 'last' : 'avg',
    envelope: false,
    slots: { tier1: slotSeconds, tier2: resolutionSeconds },
  });
  return {
    id,
    timestamps: joined(rolled.timestamps, slots.timestamps),
    values: joined(rolled.values, slots.values),
  };
}

function joined(before: Float64Array, after: Float64Array): Float64Array {
  const both = new Float64Array(before.length + after.length);
  both.set(before);
  both.set(after, before.length);
  return both;
}
