import { type IncomingHttpHeaders } from 'node:http';
import { type TracingConfig } from './tracing.config.js';

/** Never a value, a secret, a name of a metric or an address of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind?: 'internal' | 'client' | 'consumer' | 'producer';
  attributes?: SpanAttributes;
  /** The span begins a trace of its own, and refers to those that were remembered under this key: for batched work. */
  linkedTo?: string;
  /** Nothing refers to the same spans afterwards. */
  takesLinks?: boolean;
}

/** A piece of work in a trace. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void;
  /** Later work can refer to this span under the key, in this process and for a while. */
  remember(key: string): void;
  /** Marks it as failed. Of an error only its kind is kept: messages may hold anything. */
  fail(error: unknown): void;
  end(): void;
  /** Runs `work` as a part of the span. */
  run<T>(work: () => T): T;
}

export interface RequestSpan extends OpenSpan {
  /** Under the template of the route once that is known. */
  endRequest(route: string | undefined, status: number): void;
  readonly ids: TraceIds;
}

export interface TraceIds {
  trace_id: string;
  span_id: string;
}

/** What tracing-sdk.ts provides. */
export interface Tracing {
  begin(name: string, options: SpanOptions): OpenSpan;
  beginRequest(method: string, headers: IncomingHttpHeaders): RequestSpan;
  headers(): Record<string, string>;
  ids(): TraceIds | undefined;
  stop(): Promise<void>;
}

/** Keys under which spans are remembered for those that come from them. */
export const LINKS = {
  /** An append to a partition of the point log. */
  append: (partition: number): string => `append/${partition}`,
  /** Findings that were stored. */
  findings: 'findings',
  /** What was decided to be sent for an organisation. */
  plan: (orgId: number): string => `plan/${orgId}`,
} as const;

/** Undefined while traces are off: then no package of OpenTelemetry is loaded, and each call here costs one comparison. */
let tracing: Tracing | undefined;

/** Loads OpenTelemetry when the settings ask for it. */
export async function startTracing(config: TracingConfig, nodeName: string): Promise<void> {
  if (!config.isWanted || tracing !== undefined) return;
  const { createTracing } = await import('./tracing-sdk.js');
  tracing = createTracing(config, nodeName);
}

/** Sends what has not been sent. */
export async function stopTracing(): Promise<void> {
  const stopped = tracing;
  tracing = undefined;
  await stopped?.stop();
}

/** Begins a span; undefined while traces are off. */
export function beginSpan(name: string, options: () => SpanOptions = () => ({})): OpenSpan | undefined {
  return tracing?.begin(name, options());
}

/** Begins the span of a request, as a part of what its headers name. */
export function beginRequestSpan(method: string, headers: IncomingHttpHeaders): RequestSpan | undefined {
  return tracing?.beginRequest(method, headers);
}

/** Runs `work` as a part of a span that goes on afterwards. */
export function within<T>(span: OpenSpan | undefined, work: () => T): T {
  return span === undefined ? work() : span.run(work);
}

/** Runs `work` as a span of its own. */
export function inSpan<T>(
  name: string,
  options: () => SpanOptions,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, options);
  return span === undefined ? work(undefined) : ending(span, () => work(span));
}

/** Runs `work` as a part of the span, and ends the span with it. */
export async function ending<T>(span: OpenSpan | undefined, work: () => Promise<T>): Promise<T> {
  if (span === undefined) return work();
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** What tells the other side of a request which trace it belongs to; empty while traces are off. */
export function traceHeaders(): Record<string, string> {
  return tracing?.headers() ?? {};
}

/** Of the running code, for log lines. */
export function traceIds(): TraceIds | undefined {
  return tracing?.ids();
}
