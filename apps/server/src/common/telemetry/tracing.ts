import { type IncomingHttpHeaders } from 'node:http';
import { type TracingConfig } from './tracing.config.js';
import { type OpenSpan, type RequestSpan, type SpanOptions, type TraceIds, type Tracing } from './tracing.types.js';

/** Keys under which spans are stored for later links. */
export const LINKS = {
  /** An append to a partition of the point log. */
  append: (partition: number): string => `append/${partition}`,
  /** Findings that were stored. */
  findings: 'findings',
  /** A planned alert of an organisation. */
  plan: (orgId: number): string => `plan/${orgId}`,
} as const;

/**
 * Undefined while tracing is off: then no package of OpenTelemetry is loaded, and each call here costs one comparison.
 */
let tracing: Tracing | undefined;

/** Loads OpenTelemetry if the settings enable it. */
export async function startTracing(config: TracingConfig, nodeName: string): Promise<void> {
  if (!config.isWanted || tracing !== undefined) return;
  const { createTracing } = await import('./tracing-sdk.js');
  tracing = createTracing(config, nodeName);
}

/** Sends the remaining spans. */
export async function stopTracing(): Promise<void> {
  const stopped = tracing;
  tracing = undefined;
  await stopped?.stop();
}

/** Starts a span; undefined while tracing is off. */
export function beginSpan(name: string, options: () => SpanOptions = () => ({})): OpenSpan | undefined {
  return tracing?.begin(name, options());
}

/** Starts the span of a request, as a part of the trace in its headers. */
export function beginRequestSpan(method: string, headers: IncomingHttpHeaders): RequestSpan | undefined {
  return tracing?.beginRequest(method, headers);
}

/** Runs `work` as a part of a span that continues afterwards. */
export function within<T>(span: OpenSpan | undefined, work: () => T): T {
  return span === undefined ? work() : span.run(work);
}

/** Runs `work` as a separate span. */
export function inSpan<T>(
  name: string,
  options: () => SpanOptions,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, options);
  return span === undefined ? work(undefined) : runToEndOfSpan(span, () => work(span));
}

/** Runs `work` as a part of the span, and ends the span with it. */
export async function runToEndOfSpan<T>(span: OpenSpan | undefined, work: () => Promise<T>): Promise<T> {
  const result = await runInSpan(span, work);
  span?.end();
  return result;
}

/** Runs `work` as a part of a span that continues afterwards, and ends the span if the work fails. */
export async function runInSpan<T>(span: OpenSpan | undefined, work: () => Promise<T>): Promise<T> {
  if (span === undefined) return work();
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(error);
    span.end();
    throw error;
  }
}

/** Headers that pass the trace to the receiver of a request; empty while tracing is off. */
export function traceHeaders(): Record<string, string> {
  return tracing?.headers() ?? {};
}

/** Ids of the current span, for log lines. */
export function traceIds(): TraceIds | undefined {
  return tracing?.ids();
}
