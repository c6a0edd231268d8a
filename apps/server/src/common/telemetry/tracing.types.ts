import { type IncomingHttpHeaders } from 'node:http';

/** Never a value, a secret, a name of a metric or an address of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind?: 'internal' | 'client' | 'consumer' | 'producer';
  attributes?: SpanAttributes;
  /** The span begins a separate trace, and refers to those that were remembered under this key: for batched work. */
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

/** Implemented by tracing-sdk.ts. */
export interface Tracing {
  begin(name: string, options: SpanOptions): OpenSpan;
  beginRequest(method: string, headers: IncomingHttpHeaders): RequestSpan;
  headers(): Record<string, string>;
  ids(): TraceIds | undefined;
  stop(): Promise<void>;
}
