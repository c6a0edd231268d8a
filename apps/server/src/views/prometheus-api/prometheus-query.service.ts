import { Injectable, type StreamableFile } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Deadline } from './deadline.js';
import { roundToMilliseconds } from './durations.js';
import { answerOf, jsonList, JSON_TYPE, success, successOf, TRUNCATED } from './prometheus-answer.js';
import { type PrometheusParams } from './prometheus-params.js';
import { parseQuery } from './promql-parser.js';
import { type QueryExpression, type SelectorExpression } from './promql.types.js';
import { BadDataError, endBeforeStart, ExecutionError } from './prometheus.errors.js';
import { labelsOf } from './series-labels.js';
import { SeriesReaderService } from './series-reader.service.js';
import { SeriesSelectionService } from './series-selection.service.js';
import { LOOKBACK_PACES, LOOKBACK_SECONDS, valueText } from './series-values.js';
import { type Series, type SeriesWindow } from './series.types.js';

/** Maximum number of points of a series in one answer, as in Prometheus. */
const MAX_POINTS = 11_000;
/** Maximum number of points of all series in one answer. */
const MAX_ANSWERED_POINTS = 2_000_000;

/** The times of a query; in Unix seconds. */
interface QueryTime {
  start: number;
  end: number;
  /** Times for which values are requested. */
  times: Float64Array;
}

/** Answers queries that are selectors or constants. */
@Injectable()
export class PrometheusQueryService {
  constructor(
    private readonly selections: SeriesSelectionService,
    private readonly reader: SeriesReaderService,
    private readonly clock: Clock,
  ) {}

  /** The value at one time. @throws PrometheusError, OverloadedError */
  async query({ org }: KnownCaller, params: PrometheusParams): Promise<StreamableFile> {
    const time = params.time('time') ?? this.clock.now();
    const expression = expressionOf(params);
    if (expression.kind === 'string') return resultOf('string', [JSON.stringify([time, expression.value])]);
    if (expression.kind === 'scalar') return resultOf('scalar', [pointText(time, expression.value)]);
    if (expression.kind === 'vector') {
      return resultOf('vector', [`[{"metric":{},"value":${pointText(time, expression.value)}}]`]);
    }
    const at = { start: time, end: time, times: Float64Array.of(time) };
    const request = { expression, at, lookbackSeconds: lookbackOf(params), deadline: new Deadline(params.timeout()) };
    const { found, warnings } = await this.find(org.id, request, params.limit());
    const items =
      expression.rangeSeconds === null ? this.vector(org.id, found, request) : this.matrix(org.id, found, request);
    return resultOf(expression.rangeSeconds === null ? 'vector' : 'matrix', jsonList(items), warnings);
  }

  /** Values at regular steps of a window. @throws PrometheusError, OverloadedError */
  async queryRange({ org }: KnownCaller, params: PrometheusParams): Promise<StreamableFile> {
    const at = stepsOf(params);
    const expression = expressionOf(params);
    if (expression.kind === 'string' || (expression.kind === 'selector' && expression.rangeSeconds !== null)) {
      const kind = expression.kind === 'string' ? 'string' : 'range vector';
      throw new BadDataError(
        `invalid parameter "query": invalid expression type "${kind}" for range query, must be Scalar or instant Vector`,
      );
    }
    if (expression.kind !== 'selector') {
      const { value } = expression;
      return resultOf('matrix', [
        `[{"metric":{},"values":${pointsText(
          at.times,
          at.times.map(() => value),
        )}}]`,
      ]);
    }
    const request = { expression, at, lookbackSeconds: lookbackOf(params), deadline: new Deadline(params.timeout()) };
    const { found, warnings } = await this.find(org.id, request, params.limit());
    if (found.length * at.times.length > MAX_ANSWERED_POINTS) {
      throw new ExecutionError(
        `the answer would have ${String(found.length)} series of up to ${String(at.times.length)} points, at most ` +
          `${String(MAX_ANSWERED_POINTS)} points in all; select fewer series or a longer step`,
      );
    }
    return resultOf('matrix', jsonList(this.lines(org.id, found, request)), warnings);
  }

  /** Always empty: no exemplars are stored. @throws BadDataError */
  listExemplars(params: PrometheusParams): Promise<StreamableFile> {
    params.required('query');
    const [start, end] = [params.time('start'), params.time('end')];
    if (start !== undefined && end !== undefined && end < start) throw endBeforeStart();
    return successOf([]);
  }

  private async find(
    orgId: number,
    request: SelectorRequest,
    limit: number | null,
  ): Promise<{ found: Series[]; warnings: string[] }> {
    const lookback = {
      seconds: request.lookbackSeconds ?? LOOKBACK_SECONDS,
      paces: request.lookbackSeconds === null ? LOOKBACK_PACES : 0,
    };
    const selection = { selectors: [request.expression.matchers], window: windowOf(request), lookback, limit };
    const found = await this.selections.find(orgId, selection, request.deadline);
    const isCut = limit !== null && found.length > limit;
    return isCut ? { found: found.slice(0, limit), warnings: [TRUNCATED] } : { found, warnings: [] };
  }

  private async *vector(orgId: number, found: readonly Series[], request: SelectorRequest): AsyncGenerator<string> {
    const { deadline, lookbackSeconds } = request;
    const time = request.at.times[0]!;
    const wanted = { times: evaluationTimes(request), lookbackSeconds };
    for await (const some of this.reader.sample(orgId, found, wanted, deadline)) {
      const items = some.flatMap(({ series, values: [value] }) =>
        value === undefined || Number.isNaN(value)
          ? []
          : [`{"metric":${JSON.stringify(labelsOf(series))},"value":${pointText(time, value)}}`],
      );
      if (items.length > 0) yield items.join(',');
    }
  }

  private async *matrix(orgId: number, found: readonly Series[], request: SelectorRequest): AsyncGenerator<string> {
    for await (const some of this.reader.listPoints(orgId, found, windowOf(request), request.deadline)) {
      for (const { series, timestamps, values } of some) {
        if (values.length > MAX_POINTS) throw tooManyPoints('the range');
        if (values.length > 0) yield lineText(series, timestamps, values);
      }
    }
  }

  private async *lines(orgId: number, found: readonly Series[], request: SelectorRequest): AsyncGenerator<string> {
    const { at, lookbackSeconds, deadline } = request;
    const wanted = { times: evaluationTimes(request), lookbackSeconds };
    for await (const some of this.reader.sample(orgId, found, wanted, deadline)) {
      for (const { series, values } of some) {
        if (values.some((value) => !Number.isNaN(value))) yield lineText(series, at.times, values);
      }
    }
  }
}

/** A selector, and the requested values. */
interface SelectorRequest {
  expression: SelectorExpression;
  at: QueryTime;
  /** Null: the default of each series. */
  lookbackSeconds: number | null;
  deadline: Deadline;
}

/** @throws BadDataError, ExecutionError */
function expressionOf(params: PrometheusParams): QueryExpression {
  const text = params.required('query');
  try {
    return parseQuery(text);
  } catch (error) {
    if (error instanceof BadDataError) throw new BadDataError(`invalid parameter "query": ${error.message}`);
    throw error;
  }
}

/** @throws BadDataError */
function lookbackOf(params: PrometheusParams): number | null {
  const seconds = params.seconds('lookback_delta');
  if (seconds === undefined || seconds === 0) return null;
  if (seconds < 0) throw new BadDataError('invalid parameter "lookback_delta": it must not be negative');
  return seconds;
}

/** @throws BadDataError */
function stepsOf(params: PrometheusParams): QueryTime {
  params.required('start');
  params.required('end');
  params.required('step');
  const [start, end, step] = [params.time('start')!, params.time('end')!, params.seconds('step')!];
  if (end < start) throw endBeforeStart();
  if (step <= 0) {
    throw new BadDataError(
      'invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer',
    );
  }
  const steps = Math.floor(roundToMilliseconds(end - start) / step);
  if (steps > MAX_POINTS) throw tooManyPoints('the window');
  const times = Float64Array.from({ length: steps + 1 }, (_, i) => roundToMilliseconds(start + i * step));
  return { start, end, times };
}

function tooManyPoints(what: string): BadDataError {
  return new BadDataError(
    `${what} has more points than the maximum resolution of 11,000 points per timeseries. ` +
      'Try decreasing the query resolution (?step=XX)',
  );
}

/** The times at which the series is read, for each time of the answer. */
function evaluationTimes({
  expression: { at, offsetSeconds },
  at: { start, end, times },
}: SelectorRequest): Float64Array {
  const fixed = at === 'start' ? start : at === 'end' ? end : at;
  return times.map((time) => roundToMilliseconds((fixed ?? time) - offsetSeconds));
}

function windowOf(request: SelectorRequest): SeriesWindow {
  const times = evaluationTimes(request);
  const [first, until] = [times[0]!, times.at(-1)!];
  return { from: first - (request.expression.rangeSeconds ?? 0), until };
}

function resultOf(
  type: 'vector' | 'matrix' | 'scalar' | 'string',
  result: AsyncIterable<string> | string[],
  warnings: readonly string[] = [],
): Promise<StreamableFile> {
  async function* data(): AsyncGenerator<string> {
    yield `{"resultType":"${type}","result":`;
    yield* result;
    yield '}';
  }
  return answerOf(success(data(), warnings), JSON_TYPE);
}

const pointText = (time: number, value: number): string => `[${String(time)},"${valueText(value)}"]`;

/** Omits times without a value, unless `keepsNaN` is set: a constant has a value at each time. */
function pointsText(times: Float64Array, values: Float64Array, keepsNaN = true): string {
  const points: string[] = [];
  for (let i = 0; i < times.length; i++) {
    if (keepsNaN || !Number.isNaN(values[i]!)) points.push(pointText(times[i]!, values[i]!));
  }
  return `[${points.join(',')}]`;
}

function lineText(series: Series, times: Float64Array, values: Float64Array): string {
  return `{"metric":${JSON.stringify(labelsOf(series))},"values":${pointsText(times, values, false)}}`;
}
