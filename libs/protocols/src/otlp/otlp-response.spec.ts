import fc from 'fast-check';
import protobuf from 'protobufjs';
import { encodeOtlpResponse, encodeRpcStatus, rpcCodeOf } from './otlp-response.js';

/** Decodes the messages with an independent library, because the encoder under test is hand-written. */
const { root } = protobuf.parse(
  `syntax = "proto3";
  message ExportMetricsServiceResponse { ExportMetricsPartialSuccess partial_success = 1; }
  message ExportMetricsPartialSuccess { int64 rejected_data_points = 1; string error_message = 2; }
  message Status { int32 code = 1; string message = 2; }`,
);
const Response = root.lookupType('ExportMetricsServiceResponse');
const Status = root.lookupType('Status');
const decode = (type: protobuf.Type, bytes: Uint8Array): unknown =>
  type.toObject(type.decode(bytes), { longs: Number });
const aText = fc.string({ unit: 'grapheme', maxLength: 300 });

describe('encodeOtlpResponse', () => {
  it('returns an empty message when everything was stored', () => {
    expect(encodeOtlpResponse('protobuf', null)).toHaveLength(0);
    expect(encodeOtlpResponse('json', null).toString()).toBe('{}');
  });

  it('returns protobuf that another implementation can decode', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), aText, (rejectedDataPoints, errorMessage) => {
        const { partialSuccess } = Response.toObject(
          Response.decode(encodeOtlpResponse('protobuf', { rejectedDataPoints, errorMessage })),
          { longs: Number, defaults: true },
        );
        expect(partialSuccess).toEqual({ rejectedDataPoints, errorMessage });
      }),
      { seed: 81, numRuns: 200 },
    );
  });

  it('returns JSON that follows the JSON mapping of protobuf', () => {
    const bytes = encodeOtlpResponse('json', { rejectedDataPoints: 3, errorMessage: '3 refused: "é"' });
    expect(JSON.parse(bytes.toString())).toEqual({
      partialSuccess: { rejectedDataPoints: '3', errorMessage: '3 refused: "é"' },
    });
  });
});

describe('an RPC error', () => {
  it('is a google.rpc.Status in both encodings', () => {
    const status = { code: 16, message: 'no credential' };
    expect(decode(Status, encodeRpcStatus('protobuf', 16, 'no credential'))).toEqual(status);
    expect(JSON.parse(encodeRpcStatus('json', 16, 'no credential').toString())).toEqual(status);
  });

  it.each([
    [400, 3],
    [401, 16],
    [403, 7],
    [408, 14],
    [413, 8],
    [415, 3],
    [429, 8],
    [500, 13],
    [503, 14],
  ])('for HTTP status %i has the code %i', (status, code) => {
    expect(rpcCodeOf(status)).toBe(code);
  });
});
