/** Encoding of a request and of its answer: `application/x-protobuf` or `application/json`. */
export type OtlpEncoding = 'protobuf' | 'json';

/** The part of a request that was not stored. */
export interface OtlpPartialSuccess {
  /** Data points, not rows: a histogram is one. */
  rejectedDataPoints: number;
  errorMessage: string;
}

const VARINT = 0;
const BYTES = 2;

/**
 * `ExportMetricsServiceResponse`: the body of every 200. Empty when everything was stored (null).
 * Source: opentelemetry-proto `collector/metrics/v1/metrics_service.proto`.
 */
export function encodeOtlpResponse(encoding: OtlpEncoding, partialSuccess: OtlpPartialSuccess | null): Buffer {
  if (encoding === 'json') {
    if (partialSuccess === null) return Buffer.from('{}');
    const { rejectedDataPoints, errorMessage } = partialSuccess;
    // 64-bit integers are texts in the JSON mapping of protobuf.
    const body = { partialSuccess: { rejectedDataPoints: String(rejectedDataPoints), errorMessage } };
    return Buffer.from(JSON.stringify(body));
  }
  if (partialSuccess === null) return Buffer.alloc(0);
  const inner = [...number(1, partialSuccess.rejectedDataPoints), ...text(2, partialSuccess.errorMessage)];
  return Buffer.from([...key(1, BYTES), ...varint(inner.length), ...inner]);
}

/** `google.rpc.Code` of the answers a sender can get. Source: googleapis `google/rpc/code.proto`. */
const RPC_CODES = {
  invalidArgument: 3,
  permissionDenied: 7,
  resourceExhausted: 8,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The gRPC code that corresponds to the HTTP status of an error. */
export function rpcCodeOf(status: number): number {
  if (status === 401) return RPC_CODES.unauthenticated;
  if (status === 403) return RPC_CODES.permissionDenied;
  if (status === 413 || status === 429) return RPC_CODES.resourceExhausted;
  if (status === 408 || status === 503) return RPC_CODES.unavailable;
  return status >= 500 ? RPC_CODES.internal : RPC_CODES.invalidArgument;
}

/** `google.rpc.Status`: the body of every error. Source: googleapis `google/rpc/status.proto`. */
export function encodeRpcStatus(encoding: OtlpEncoding, code: number, message: string): Buffer {
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }));
  return Buffer.from([...number(1, code), ...text(2, message)]);
}

function key(field: number, wireType: number): number[] {
  return varint((field << 3) | wireType);
}

/** Zero is the default of protobuf and not written. */
function number(field: number, value: number): number[] {
  return value === 0 ? [] : [...key(field, VARINT), ...varint(value)];
}

function text(field: number, value: string): number[] {
  if (value === '') return [];
  const bytes = Buffer.from(value);
  return [...key(field, BYTES), ...varint(bytes.length), ...bytes];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}
