import { Max, Min } from 'class-validator';
import { isIntegerOf, toInteger } from './number-param.decorators.js';
import { type ParamContext, type ParamOptions } from './param-kind.js';
import { contextOf, predicate, rule, ruledKind } from './param-rule.js';
import { Param } from './param.decorator.js';

/** 2000-01-01: the earliest time of the API. */
export const EARLIEST_TIMESTAMP = 946_684_800;
/** 2100-01-01: the latest time for times in the future. */
const LATEST_TIMESTAMP = 4_102_444_800;
/** Maximum difference between the clocks of senders and of this service. */
const CLOCK_SLACK_SECONDS = 60;

export interface TimestampBounds {
  /** Unix seconds; default the year 2000. */
  min?: number;
  /** Unix seconds; default 60 s after now. */
  max?: number;
}

/** Unix seconds. */
export const TimestampParam = (options: ParamOptions<number> & TimestampBounds = {}): PropertyDecorator => {
  const { min = EARLIEST_TIMESTAMP, max } = options;
  const says = (value: number, context: ParamContext): string => outsideTimes(value, min, max ?? latest(context));
  const kind = ruledKind<number>({
    schema: () => ({
      type: 'integer',
      format: 'int64',
      minimum: min,
      ...(max === undefined ? {} : { maximum: max }),
    }),
    toValue: toInteger,
    rules: [
      IS_SECONDS,
      rule('out_of_range', says, (validation) => Min(min, validation)),
      rule('out_of_range', says, max === undefined ? IS_NOT_AHEAD : (validation) => Max(max, validation)),
    ],
  });
  return Param(kind, options);
};

const IS_SECONDS = isIntegerOf('Unix seconds');

function outsideTimes(value: number, min: number, max: number): string {
  const areMilliseconds = value / 1000 >= min && value / 1000 <= max;
  return `must be Unix seconds${areMilliseconds ? ', not milliseconds,' : ''} from ${String(min)} to ${String(max)}`;
}

/** `@MaxDate` only knows the clock of the machine, and no seconds. */
const IS_NOT_AHEAD = predicate('isNotAhead', (value, { object }) => Number(value) <= latest(contextOf(object)));

function latest({ now }: ParamContext): number {
  return Math.floor(now) + CLOCK_SLACK_SECONDS;
}

/** Unix seconds, possibly in the future, up to the year 2100. */
export const FutureTimestampParam = (options: ParamOptions<number> & TimestampBounds = {}): PropertyDecorator =>
  TimestampParam({ max: LATEST_TIMESTAMP, ...options });
