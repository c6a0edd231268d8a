/**
 * Noise without state: every value is a hash of (seed, position), so any stretch of a series can be generated at any
 * time, in any order, and history is consistent with its live continuation.
 */

// Read once: this is the innermost loop, and accessing a global is slow in sandboxed contexts.
const { exp, floor, imul, min, sqrt } = Math;
const SQRT_3 = sqrt(3);

/** 32 well-mixed bits of two integers. Finaliser of MurmurHash3 (Austin Appleby, public domain), applied twice. */
export function hash32(seed: number, place: number): number {
  return mix(imul(mix(seed | 0), 0x9e37_79b1) ^ mix((place | 0) + 0x7f4a_7c15));
}

/** Seed for a named thing. */
export function seedOf(seed: number, name: string): number {
  let hash = hash32(seed, name.length);
  for (let i = 0; i < name.length; i++) hash = hash32(hash, name.charCodeAt(i));
  return hash;
}

/** Uniform in [0, 1). */
export function uniform(seed: number, place: number): number {
  return hash32(seed, place) / 2 ** 32;
}

/** Near-normal with mean 0 and standard deviation 1: a sum of four uniforms. Never beyond 3.5. */
export function gaussian(seed: number, place: number): number {
  const a = hash32(seed, place);
  const b = hash32(a, place);
  // Sixteen bits are fine enough for noise; two hashes give four uniforms. Variance of their sum is 4/12.
  const sum = ((a >>> 16) + (a & 0xffff) + (b >>> 16) + (b & 0xffff)) / 65_536;
  return (sum - 2) * SQRT_3;
}

/**
 * Value noise: random numbers at multiples of `periodSeconds`, connected by smooth curves. Mean 0, about -1.5..1.5. A
 * sum of several periods resembles the slow variation of real measurements.
 */
export function smoothNoise(seed: number, timestamp: number, periodSeconds: number): number {
  const place = floor(timestamp / periodSeconds);
  const part = timestamp / periodSeconds - place;
  const weight = part * part * (3 - 2 * part);
  return gaussian(seed, place) * (1 - weight) + gaussian(seed, place + 1) * weight;
}

/** Inversion starts from exp(-mean), which must not underflow to 0. */
const MAX_POISSON_MEAN = 700;

/**
 * A count from a Poisson distribution, by inversion of the uniform number `u`. O(mean); means above 700 count as 700.
 */
export function poisson(mean: number, u: number): number {
  if (!(mean > 0)) return 0;
  const bounded = min(mean, MAX_POISSON_MEAN);
  let probability = exp(-bounded);
  let cumulative = probability;
  let count = 0;
  // The sum of probabilities may end slightly below a `u` close to 1; far above the mean, the remaining probabilities
  // are 0.
  while (u > cumulative && probability > 0) {
    count++;
    probability *= bounded / count;
    cumulative += probability;
  }
  return count;
}

function mix(value: number): number {
  let bits = value >>> 0;
  bits = imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
