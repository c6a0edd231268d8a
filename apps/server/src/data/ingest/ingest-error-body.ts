import { type IncomingMessage } from 'node:http';
import { encodeRpcStatus, type OtlpEncoding, rpcCodeOf } from '#libs/protocols';
import { type ErrorBody } from '../../common/http/request-context.js';
import { type BodyRule, contentTypeOf, mediaTypeOf } from './ingest-body.js';

export const OTLP_CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** How the errors of a path are written where it is not the form of our own: for OTLP as `google.rpc.Status`. */
export function errorBodyOf(request: IncomingMessage, rule: BodyRule): ErrorBody | undefined {
  if (rule.errors !== 'rpc-status') return undefined;
  const encoding = otlpEncodingOf(contentTypeOf(request, rule));
  return ({ httpStatus, message }) => ({
    contentType: OTLP_CONTENT_TYPES[encoding],
    body: encodeRpcStatus(encoding, rpcCodeOf(httpStatus), message),
  });
}

/** In which form an OTLP request is written, and so its answer. */
export function otlpEncodingOf(contentType: string): OtlpEncoding {
  return mediaTypeOf(contentType) === 'application/json' ? 'json' : 'protobuf';
}
