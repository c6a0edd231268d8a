import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { parseSelector } from './promql-parser.js';
import { type LabelMatcher } from './promql.types.js';
import { parseSeconds, parseTime } from './durations.js';
import { BadDataError } from './prometheus.errors.js';

/** Maximum number of selectors in a request. */
const MAX_SELECTORS = 50;
/** Maximum timeout of a request, and the default. */
const MAX_TIMEOUT_SECONDS = 60;
const MAX_LIMIT = 1_000_000_000;

/**
 * Parameters in the form of Prometheus: from a form and from the query string; the form takes precedence. Names are
 * literal (`match[]`), and commas have no meaning. Empty values count as missing.
 */
export class PrometheusParams {
  constructor(private readonly sources: readonly Readonly<Record<string, unknown>>[]) {}

  text(name: string): string | undefined {
    return this.list(name)[0];
  }

  list(name: string): string[] {
    return this.sources.flatMap((source) => (Object.hasOwn(source, name) ? textsOf(source[name]) : []));
  }

  /** @throws BadDataError */
  required(name: string): string {
    const text = this.text(name);
    if (text === undefined) throw new BadDataError(`invalid parameter ${JSON.stringify(name)}: it is required`);
    return text;
  }

  /** Unix seconds. @throws BadDataError */
  time(name: string): number | undefined {
    return this.read(name, parseTime, 'a time: Unix seconds or RFC 3339');
  }

  /** Seconds. @throws BadDataError */
  seconds(name: string): number | undefined {
    return this.read(name, parseSeconds, 'a duration: 15, 0.5, 1m, 1h30m');
  }

  /** Null: no limit, like 0. @throws BadDataError */
  limit(name = 'limit'): number | null {
    const wholeNumber = (text: string) => {
      const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      return number <= MAX_LIMIT ? number : undefined;
    };
    const limit = this.read(name, wholeNumber, 'a whole number, 0 for no limit') ?? 0;
    return limit === 0 ? null : limit;
  }

  /** Timeout of the request, seconds. @throws BadDataError */
  timeout(): number {
    const seconds = this.seconds('timeout') ?? MAX_TIMEOUT_SECONDS;
    if (seconds <= 0) throw new BadDataError('invalid parameter "timeout": it must be greater than 0');
    return Math.min(seconds, MAX_TIMEOUT_SECONDS);
  }

  /** Selectors of `match[]`. @throws BadDataError, ExecutionError */
  selectors(): (readonly LabelMatcher[])[] {
    const texts = this.list('match[]');
    if (texts.length > MAX_SELECTORS) {
      throw new BadDataError(`invalid parameter "match[]": at most ${String(MAX_SELECTORS)} selectors`);
    }
    return texts.map(parseSelector);
  }

  private read<Value>(name: string, parse: (text: string) => Value | undefined, form: string): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) {
      const shown = JSON.stringify(text.slice(0, 100));
      throw new BadDataError(`invalid parameter ${JSON.stringify(name)}: cannot parse ${shown}, it must be ${form}`);
    }
    return value;
  }
}

/** The parameters of a request of the Prometheus API. */
export const PrometheusQuery = createParamDecorator((_: unknown, context: ExecutionContext): PrometheusParams => {
  const request = context.switchToHttp().getRequest<Request>();
  return new PrometheusParams([objectOf(request.body), objectOf(request.query)]);
});

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((item) => (Array.isArray(item) ? [] : textsOf(item)));
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? [text] : [];
}
