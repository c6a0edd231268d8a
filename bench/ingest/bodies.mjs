/**
 * Line-protocol bodies that are built once. A round has a point of every series, split into bodies, and each body
 * exists in several variants with different values, so that a series is noise and not constant. Only timestamps are
 * written later.
 */

/** Digits of a timestamp in seconds. */
const DIGITS = 10;
const MEASUREMENT = 'bench_cpu';
const REGIONS = ['eu-west', 'eu-north', 'us-east', 'ap-south'];

/** Tag set of series `index`, with sorted keys as in the canonical form. */
const tagsOf = (index) => ({ host: `web-${String(index).padStart(6, '0')}`, region: REGIONS[index % REGIONS.length] });

/** Labels of series `index`, as in a metric name. */
const labelsOf = (index) =>
  Object.entries(tagsOf(index))
    .map(([key, value]) => `${key}="${value}"`)
    .join(',');

/** Canonical name of series `index` in the product. */
export const metricName = (index) => `${MEASUREMENT}{${labelsOf(index)}}`;

/** The name of the same series in VictoriaMetrics. */
export const metricNameWithField = (index) => `${MEASUREMENT}_value{${labelsOf(index)}}`;

/** The level of the noise of series `index`. */
export const levelOf = (index) => 20 + ((index * 7919) % 6000) / 100;

/** Mulberry32: a small seeded generator, numbers in [0, 1). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One line without its timestamp. */
export function lineOf(index, value) {
  const { host, region } = tagsOf(index);
  return `${MEASUREMENT},host=${host},region=${region} value=${value.toFixed(2)} `;
}

/** A body whose points all have the same time. */
export class Body {
  /** @param lines lines without timestamps, each of a different series */
  constructor(lines) {
    const places = new Uint32Array(lines.length);
    let text = '';
    lines.forEach((line, row) => {
      text += line;
      places[row] = text.length;
      text += `${'0'.repeat(DIGITS)}\n`;
    });
    this.bytes = Buffer.from(text, 'latin1');
    this.places = places;
    this.points = lines.length;
  }

  /** Writes `timestamp` (Unix seconds) into every line. */
  stamp(timestamp) {
    const digits = Buffer.from(String(timestamp), 'latin1');
    if (digits.length !== DIGITS) throw new RangeError(`A timestamp of ${DIGITS} digits is needed, got ${timestamp}`);
    const { bytes, places } = this;
    for (const place of places) bytes.set(digits, place);
    return bytes;
  }
}

/** Variants of the body with series `first` to `first + points - 1`. */
export function buildVariants({ first, points, variants, seed }) {
  const next = random(seed + first);
  // The sum of four uniform numbers is close enough to a normal one.
  const noise = () => next() + next() + next() + next() - 2;
  return Array.from(
    { length: variants },
    () => new Body(Array.from({ length: points }, (_, i) => lineOf(first + i, levelOf(first + i) + 2 * noise()))),
  );
}
