import { type ParamKind, type ParamOptions, ParamProblem } from '../../../common/validation/param-kind.js';
import { EARLIEST_TIMESTAMP } from '../../../common/validation/time-param.decorators.js';
import { Param } from '../../../common/validation/param.decorators.js';
import { LARGE_BODY_BYTES } from '../../../common/http/body-parsing.js';
import { isPackedPairs, type PackedPairs, packedPairs } from '../../../common/http/large-body.js';
import { type BenchmarkLabel, type BenchmarkSeries, MAX_POINTS } from '../benchmark.types.js';

const MAX_LABELS = 500;
/** Maximum time by which clocks may be ahead. */
const AHEAD_SECONDS = 60;

const PAIR = { type: 'array' as const, items: { type: 'number' as const }, minItems: 2, maxItems: 2 };

const TIMESERIES: ParamKind<BenchmarkSeries> = {
  schema: () => ({ type: 'array', items: PAIR, maxItems: MAX_POINTS, example: [[1_760_000_000, 12.5]] }),
  convert: (raw, { now }) => {
    const points = pairsOf(raw);
    if (!points) return ParamProblem.of('not_list', 'must be a list of [timestamp, value]');
    const count = points.pairs.length / 2;
    if (count > MAX_POINTS) {
      return ParamProblem.of('too_many', `must have at most ${String(MAX_POINTS)} points, got ${String(count)}`);
    }
    const timestamps = new Float64Array(count);
    const values = new Float64Array(count);
    for (let row = 0; row < count; row++) {
      const timestamp = points.pairs[2 * row]!;
      if (!isTime(timestamp, now)) {
        return ParamProblem.of(
          'bad_format',
          `must have Unix seconds from the year 2000 to now as the time of point ${String(row + 1)}`,
        );
      }
      if (row === points.wrongAt) {
        return ParamProblem.of('bad_format', `must have a number or null as the value of point ${String(row + 1)}`);
      }
      timestamps[row] = timestamp;
      values[row] = points.pairs[2 * row + 1]!;
    }
    return { timestamps, values };
  },
};

/** A series as JSON: `[[timestamp, value], …]`; null is a missing value. The field holds a `BenchmarkSeries`. */
export const TimeseriesParam = (options: ParamOptions<BenchmarkSeries> = {}): PropertyDecorator =>
  Param(TIMESERIES, { bodyOnly: true, ...options });

const LABELS: ParamKind<BenchmarkLabel[]> = {
  schema: () => ({ type: 'array', items: { ...PAIR, items: { type: 'integer' } }, maxItems: MAX_LABELS }),
  convert: (raw, { now }) => {
    const labels = isPackedPairs(raw) ? raw.pairs : jsonOf(raw);
    if (labels instanceof Float64Array || (Array.isArray(labels) && labels.length > MAX_LABELS)) {
      return ParamProblem.of('too_many', `must have at most ${String(MAX_LABELS)} labels`);
    }
    if (!Array.isArray(labels)) return ParamProblem.of('not_list', 'must be a list of [from, until]');
    const read: BenchmarkLabel[] = [];
    for (const [index, label] of (labels as unknown[]).entries()) {
      const [from, until] = Array.isArray(label) ? (label as unknown[]) : [];
      if (!isTime(from, now) || !isTime(until, now) || until < from) {
        return ParamProblem.of(
          'bad_format',
          `must have a start and a later end in Unix seconds in label ${String(index + 1)}`,
        );
      }
      read.push([from, until]);
    }
    return read;
  },
};

/** Known anomalies as JSON, also as a text: `[[from, until], …]`. */
export const LabelsParam = (options: ParamOptions<BenchmarkLabel[]> = {}): PropertyDecorator => Param(LABELS, options);

const FILE: ParamKind<Uint8Array> = {
  schema: () => ({ type: 'string', format: 'binary' }),
  convert: (raw) => {
    if (raw instanceof Uint8Array) return raw;
    return typeof raw === 'string' ? Buffer.from(raw) : ParamProblem.of('bad_format', 'must be a file');
  },
};

/** A file of a multipart form. The field holds its bytes. */
export const FileParam = (options: ParamOptions<Uint8Array> = {}): PropertyDecorator =>
  Param(FILE, { bodyOnly: true, ...options });

function isTime(value: unknown, now: number): value is number {
  return Number.isInteger(value) && (value as number) >= EARLIEST_TIMESTAMP && (value as number) <= now + AHEAD_SECONDS;
}

/** Long lists of large bodies arrive as pairs. */
function pairsOf(raw: unknown): PackedPairs | undefined {
  if (isPackedPairs(raw)) return raw;
  const list = jsonOf(raw);
  return Array.isArray(list) ? packedPairs(list) : undefined;
}

/** In forms a list is a JSON text; the thread that reads large bodies has not recognised a long one as a list. */
function jsonOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  if (raw.length > LARGE_BODY_BYTES) return undefined;
  try {
    return JSON.parse(raw) as unknown;
  } catch {
    return undefined;
  }
}
