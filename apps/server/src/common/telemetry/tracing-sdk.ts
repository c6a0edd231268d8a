import { Logger } from '@nestjs/common';
import {
  type Attributes,
  type Context,
  context,
  createTraceState,
  diag,
  DiagLogLevel,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type IncomingHttpHeaders } from 'node:http';
import { productVersion } from '../product-version.js';
import { type TracingConfig } from './tracing.config.js';
import {
  type OpenSpan,
  type RequestSpan,
  type SpanAttributes,
  type SpanOptions,
  type Tracing,
} from './tracing.types.js';

const KINDS = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  producer: SpanKind.PRODUCER,
} as const;
/** Only known methods, so that span names stay few whatever clients send. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const TRACE_PARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const LONGEST_STATE = 512;
/** Maximum number of spans that a batch links to; the newest. */
const MAX_LINKS = 32;
const MAX_KEYS = 1000;
const LINK_MS = 60_000;
const STOP_MS = 5000;
const COMPLAIN_MS = 60_000;

/** Loaded only if tracing is enabled (tracing.ts). OpenTelemetry itself reads endpoint, headers, sampler and limits. */
export function createTracing({ serviceName }: TracingConfig, nodeName: string): Tracing {
  complainSeldom();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const own = { 'service.version': productVersion(), 'service.instance.id': nodeName };
  const resource = defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': serviceName }));
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('plumbline', productVersion());
  const remembered = new RememberedSpans();
  const opened = (span: Span, at: Context): TracedSpan => new TracedSpan(span, trace.setSpan(at, span), remembered);
  return {
    begin(name, { kind = 'internal', attributes, linkedTo, takesLinks = false }: SpanOptions) {
      const at = linkedTo === undefined ? context.active() : ROOT_CONTEXT;
      const links = linkedTo === undefined ? [] : remembered.linksOf(linkedTo, takesLinks);
      const options = { kind: KINDS[kind], links, root: linkedTo !== undefined, ...(attributes ? { attributes } : {}) };
      return opened(tracer.startSpan(name, options, at), at);
    },
    beginRequest(method, headers) {
      const known = METHODS.has(method) ? method : '_OTHER';
      const at = callerOf(headers);
      const attributes: Attributes = { 'http.request.method': known };
      const span = tracer.startSpan(known, { kind: SpanKind.SERVER, attributes }, at);
      return new TracedRequest(known, span, trace.setSpan(at, span), remembered);
    },
    headers() {
      const current = trace.getSpanContext(context.active());
      if (current === undefined) return {};
      const { traceId, spanId, traceFlags, traceState } = current;
      const state = traceState?.serialize();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        ...(state === undefined || state === '' ? {} : { tracestate: state }),
      };
    },
    ids() {
      const current = trace.getSpanContext(context.active());
      return current && { trace_id: current.traceId, span_id: current.spanId };
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
      clearTimeout(timer);
      context.disable();
      diag.disable();
    },
  };
}

class TracedSpan implements OpenSpan {
  constructor(
    protected readonly span: Span,
    private readonly inside: Context,
    private readonly remembered: RememberedSpans,
  ) {}

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  remember(key: string): void {
    this.remembered.add(key, this.span.spanContext());
  }

  fail(error: unknown): void {
    this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
  }

  end(): void {
    this.span.end();
  }

  run<T>(work: () => T): T {
    return context.with(this.inside, work);
  }
}

class TracedRequest extends TracedSpan implements RequestSpan {
  constructor(
    private readonly method: string,
    ...rest: ConstructorParameters<typeof TracedSpan>
  ) {
    super(...rest);
  }

  get ids() {
    const { traceId, spanId } = this.span.spanContext();
    return { trace_id: traceId, span_id: spanId };
  }

  endRequest(route: string | undefined, status: number): void {
    if (route !== undefined) {
      this.span.updateName(`${this.method} ${route}`);
      this.span.setAttribute('http.route', route);
    }
    this.span.setAttribute('http.response.status_code', status);
    if (status >= 500) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

/** Recent spans, for links from work that combines many pieces. */
class RememberedSpans {
  private readonly byKey = new Map<string, { at: number; span: SpanContext }[]>();

  add(key: string, span: SpanContext): void {
    const known = this.byKey.get(key) ?? [];
    this.byKey.delete(key);
    // The oldest key: a map keeps the order of insertion.
    if (this.byKey.size >= MAX_KEYS) this.byKey.delete(this.byKey.keys().next().value!);
    this.byKey.set(key, [...known.slice(1 - MAX_LINKS), { at: performance.now(), span }]);
  }

  linksOf(key: string, takes: boolean): Link[] {
    const known = this.byKey.get(key) ?? [];
    if (takes) this.byKey.delete(key);
    const since = performance.now() - LINK_MS;
    return known.filter(({ at }) => at >= since).map(({ span }) => ({ context: span }));
  }
}

/** The parent span in the trace of the caller (W3C Trace Context). */
function callerOf(headers: IncomingHttpHeaders): Context {
  const given = headers.traceparent;
  const [, traceId, spanId, flags] =
    TRACE_PARENT.exec(typeof given === 'string' && given.length < 256 ? given : '') ?? [];
  if (traceId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId!)) return ROOT_CONTEXT;
  const state = headers.tracestate;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: spanId!,
    traceFlags: parseInt(flags!, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(typeof state === 'string' && state.length <= LONGEST_STATE ? { traceState: createTraceState(state) } : {}),
  });
}

/** An unavailable collector causes a message at every batch. */
function complainSeldom(): void {
  const logger = new Logger('Tracing');
  let last = -Infinity;
  const warn = (message: string): void => {
    if (performance.now() - last < COMPLAIN_MS) return;
    last = performance.now();
    logger.warn(`Traces cannot be sent: ${message.slice(0, 300)}`);
  };
  const silent = (): void => undefined;
  diag.setLogger({ error: warn, warn: silent, info: silent, debug: silent, verbose: silent }, DiagLogLevel.ERROR);
}
