/**
 * Chunks of recent points are found by bucket: all series whose id leaves the same remainder by a power of two. The
 * number of a bucket contains both (modulus + remainder), so a coarse bucket covers several finer ones, as in a heap. A
 * write chooses how fine its chunks are; a reader looks into every bucket that its series may be in.
 */

const LARGEST_MODULUS = 8192;
/** Buckets of fewer points are not worth a separate row. */
const POINTS_PER_CHUNK = 512;
const SMALLEST_FILTER_BITS = 64;
const LARGEST_FILTER_BITS = 8192;
const FILTER_BITS_PER_SERIES = 8;

/** Every bucket that a chunk with this series may have, coarsest first. */
export function bucketsOf(id: number): number[] {
  const buckets: number[] = [];
  for (let modulus = 1; modulus <= LARGEST_MODULUS; modulus *= 2) buckets.push(modulus + (id % modulus));
  return buckets;
}

/** Every bucket that may hold series with `id % modulus === remainder`; null means all buckets. */
export function bucketsOfPart(modulus: number, remainder: number): number[] | null {
  if (modulus === 1) return null;
  const buckets: number[] = [];
  for (let m = 1; m < modulus; m *= 2) buckets.push(m + (remainder % m));
  for (let m = modulus; m <= LARGEST_MODULUS; m *= 2) {
    for (let r = remainder; r < m; r += modulus) buckets.push(m + r);
  }
  return buckets;
}

/** The modulus that splits rows into at most `mostChunks` buckets with enough points each. */
export function chooseModulus(ids: Uint32Array, mostChunks: number): number {
  const first = ids[0] ?? 0;
  let differing = 0;
  for (const id of ids) differing |= id ^ first;
  const lowest = differing & -differing;
  // Bits that all ids share split nothing: the rows of a partition of the log share its remainder.
  const common = differing === 0 ? LARGEST_MODULUS : Math.min(lowest >>> 0, LARGEST_MODULUS);
  const chunks = Math.max(1, Math.min(mostChunks, ids.length / POINTS_PER_CHUNK));
  return Math.min(LARGEST_MODULUS, common * 2 ** Math.floor(Math.log2(chunks)));
}

/** A Bloom filter with one hash over the series of a chunk, so that most chunks without a series are not fetched. */
export function filterOf(ids: Iterable<number>, count: number): Buffer {
  const wanted = Math.min(LARGEST_FILTER_BITS, Math.max(SMALLEST_FILTER_BITS, count * FILTER_BITS_PER_SERIES));
  const bits = 2 ** Math.ceil(Math.log2(wanted));
  const filter = Buffer.alloc(bits / 8);
  for (const id of ids) {
    const position = filterHash(id) % bits;
    filter[position >>> 3]! |= 1 << (position & 7);
  }
  return filter;
}

/** A series is in a filter of n bits by its bit `hash % n` (bits of a byte from the lowest). At most 31 bits. */
export function filterHash(id: number): number {
  let hash = Math.imul(id ^ (id >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) & 0x7fff_ffff;
}
