import { type IncomingHttpHeaders } from 'node:http';

/** Never a value, a secret, the name of a metric or the address of a person. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  kind?: 'internal' | 'client' | 'consumer' | 'producer';
  attributes?: SpanAttributes;
  /** The span starts a separate trace, with links to the spans stored under this key: for batched work. */
  linkedTo?: string;
  /** Removes the stored spans. */
  takesLinks?: boolean;
}

/** A piece of work in a trace. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void;
  /** Later work can link to this span under the key, in this process and for a while. */
  remember(key: string): void;
  /** Marks it as failed. Only the kind of an error is kept: messages may contain anything. */
  fail(error: unknown): void;
  end(): void;
  /** Runs `work` as a part of the span. */
  run<T>(work: () => T): T;
}

export interface RequestSpan extends OpenSpan {
  /** Renames it to the template of the route once that is known. */
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
