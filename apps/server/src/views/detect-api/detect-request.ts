import { parsedContainer } from '../../common/http/body-parsing.js';
import { MalformedBodyError } from '../../common/http/http.errors.js';
import { RefusedRequest } from './detect-api.errors.js';
import { type Granularity, GRANULARITIES, type ImputeMode, IMPUTE_MODES, type InputPoints } from './slots.js';

const LONGEST = 40;
const FORM = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?$/i;

export type DetectKind = 'entire' | 'last' | 'change-point';

export const MIN_POINTS = 12;
export const MAX_POINTS = 8640;
/**
 * Maximum number of objects and lists in a body: more than the maximum number of points, so that too many points cause
 * the specific error.
 */
const MAX_CONTAINERS = 20_000;
const LARGEST_INTERVAL = 1_000_000;
const DEFAULTS = { maxAnomalyRatio: 0.25, sensitivity: 95, threshold: 0.9, stableTrendWindow: 5 };

/** A valid request. */
export interface DetectRequest {
  points: InputPoints;
  granularity: Granularity;
  customInterval: number;
  /** Length of the recurring pattern in rows; 0: there is none; null: to be detected. */
  period: number | null;
  /** 0..0.5 */
  maxAnomalyRatio: number;
  /** 0..99, higher finds more. */
  sensitivity: number;
  imputeMode: ImputeMode;
  imputeFixedValue: number;
  /** 0..1, higher finds more change points. */
  threshold: number;
  /** Minimum duration of a change in rows. */
  stableTrendWindow: number;
}

type Members = Readonly<Record<string, unknown>>;

/** @throws RefusedRequest */
export function readDetectRequest(kind: DetectKind, bytes: Uint8Array): DetectRequest {
  const body = membersOf(bytes);
  const points = pointsOf(body.series);
  const granularity = granularityOf(body.granularity, kind);
  const imputeMode = imputeModeOf(body.imputeMode);
  return {
    points,
    granularity,
    customInterval: customIntervalOf(body.customInterval),
    period: periodOf(body.period, points.values.length),
    ...modelArguments(body),
    imputeMode,
    imputeFixedValue: imputeFixedValueOf(body.imputeFixedValue, imputeMode, granularity),
    ...changePointArguments(body, points.values.length),
  };
}

function membersOf(bytes: Uint8Array): Members {
  let body: object;
  try {
    body = parsedContainer(bytes, MAX_CONTAINERS);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw new RefusedRequest('InvalidJsonFormat', error.message);
  }
  if (Array.isArray(body)) throw new RefusedRequest('InvalidJsonFormat', 'The body must be a JSON object.');
  return body as Members;
}

function pointsOf(series: unknown): InputPoints {
  if (series === undefined || series === null) throw new RefusedRequest('RequiredSeries', "'series' is required.");
  if (!Array.isArray(series)) throw new RefusedRequest('InvalidSeries', "'series' must be a list of points.");
  const { length } = series;
  if (length < MIN_POINTS || length > MAX_POINTS) {
    throw new RefusedRequest(
      'BadArgument',
      `'series' must have ${String(MIN_POINTS)} to ${String(MAX_POINTS)} points, it has ${String(length)}.`,
    );
  }
  const values = new Float64Array(length);
  const instants = new Float64Array(length);
  for (const [row, point] of (series as unknown[]).entries()) {
    const { value, timestamp } = (typeof point === 'object' && point !== null ? point : {}) as Members;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new RefusedRequest('InvalidSeries', `The value of point ${String(row)} must be a number.`);
    }
    values[row] = value;
    instants[row] = instantOf(timestamp, row);
  }
  return { values, instants };
}

/** Microseconds; NaN if none is given. */
function instantOf(timestamp: unknown, row: number): number {
  if (timestamp === undefined || timestamp === null) return NaN;
  const instant = typeof timestamp === 'string' ? parseInstant(timestamp) : undefined;
  if (instant !== undefined) return instant;
  throw new RefusedRequest(
    'InvalidSeries',
    `The timestamp of point ${String(row)} must be a time such as 2018-03-01T00:00:00Z.`,
  );
}

function granularityOf(value: unknown, kind: DetectKind): Granularity {
  if (value === undefined || value === null) {
    if (kind === 'change-point') throw new RefusedRequest('RequiredGranularity', "'granularity' is required.");
    return 'none';
  }
  const found = GRANULARITIES.find((one) => one === value);
  if (found) return found;
  throw new RefusedRequest('InvalidGranularity', `'granularity' must be one of ${GRANULARITIES.join(', ')}.`);
}

function customIntervalOf(value: unknown): number {
  if (value === undefined || value === null) return 1;
  if (isWhole(value, 1, LARGEST_INTERVAL)) return value;
  throw new RefusedRequest(
    'InvalidCustomInterval',
    `'customInterval' must be a whole number from 1 to ${String(LARGEST_INTERVAL)}.`,
  );
}

function periodOf(value: unknown, points: number): number | null {
  if (value === undefined || value === null) return null;
  const most = Math.floor(points / 2);
  if (isWhole(value, 0, most)) return value;
  throw new RefusedRequest(
    'InvalidPeriod',
    `'period' must be a whole number from 0 to ${String(most)}: the series has to hold it twice.`,
  );
}

function modelArguments(body: Members): Pick<DetectRequest, 'maxAnomalyRatio' | 'sensitivity'> {
  const isRatio = (value: unknown): value is number => isNumber(value) && value > 0 && value < 0.5;
  const isSensitivity = (value: unknown): value is number => isWhole(value, 0, 99);
  return {
    maxAnomalyRatio: modelArgument(body, 'maxAnomalyRatio', isRatio, 'above 0 and below 0.5'),
    sensitivity: modelArgument(body, 'sensitivity', isSensitivity, 'a whole number from 0 to 99'),
  };
}

function modelArgument(
  body: Members,
  name: keyof typeof DEFAULTS,
  isSound: (value: unknown) => value is number,
  says: string,
): number {
  const value = body[name];
  if (value === undefined || value === null) return DEFAULTS[name];
  if (isSound(value)) return value;
  throw new RefusedRequest('InvalidModelArgument', `'${name}' must be ${says}.`);
}

function imputeModeOf(value: unknown): ImputeMode {
  if (value === undefined || value === null) return 'auto';
  const found = IMPUTE_MODES.find((one) => one === value);
  if (found) return found;
  throw new RefusedRequest('InvalidImputeMode', `'imputeMode' must be one of ${IMPUTE_MODES.join(', ')}.`);
}

function imputeFixedValueOf(value: unknown, mode: ImputeMode, granularity: Granularity): number {
  if (isNumber(value)) return value;
  const isNeeded = mode === 'fixed' && granularity !== 'none';
  if ((value === undefined || value === null) && !isNeeded) return 0;
  throw new RefusedRequest('InvalidImputeFixedValue', "'imputeFixedValue' must be a number.");
}

function changePointArguments(body: Members, points: number): Pick<DetectRequest, 'threshold' | 'stableTrendWindow'> {
  const isThreshold = (value: unknown): value is number => isNumber(value) && value >= 0 && value <= 1;
  const isWindow = (value: unknown): value is number => isWhole(value, 1, points);
  return {
    threshold: modelArgument(body, 'threshold', isThreshold, 'a number from 0 to 1'),
    stableTrendWindow: modelArgument(body, 'stableTrendWindow', isWindow, 'a whole number, at most that of the points'),
  };
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

/** Microseconds since 1970 of an ISO 8601 time; UTC if it has no zone. Undefined if the text is not such a time. */
function parseInstant(text: string): number | undefined {
  if (text.length > LONGEST) return undefined;
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = FORM.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const milliseconds = Date.parse(`${date}T${time}${offset}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
