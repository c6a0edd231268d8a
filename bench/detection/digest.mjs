import { createHash } from 'node:crypto';

/** Equal for outputs of a shard with the same content. */
export function digestOf({ slots, events, progress, scored }) {
  const hash = createHash('sha256');
  for (const column of [slots.ids, slots.timestamps, slots.values]) hash.update(column);
  return hash.update(JSON.stringify({ events, progress, scored })).digest('hex');
}
