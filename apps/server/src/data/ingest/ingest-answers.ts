import { type IncomingMessage } from 'node:http';
import { toFlags } from '#libs/contracts';
import {
  buildReport,
  describeRefusals,
  encodeOtlpResponse,
  encodeRpcStatus,
  type OtlpEncoding,
  rpcCodeOf,
  type WrittenCounts,
} from '#libs/protocols';
import { type ErrorBody } from '../../common/http/request-context.js';
import { type Taken } from './ingest-admission.service.js';
import { type BodyRule, contentTypeOf, mediaTypeOf } from './ingest-body.js';
import { type IngestAnswer, type IngestReportBody, type KeyCheckBody, type ReceivedBody } from './ingest.types.js';

const OTLP_CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

const NO_CONTENT: IngestAnswer = { status: 204 };

/** For the native paths: 207 if something was refused. */
export function nativeAnswer(taken: Taken, test: boolean): IngestAnswer {
  if (test) return testAnswer(taken);
  return taken.refusals.total === 0 ? NO_CONTENT : { status: 207, body: report(taken, 207) };
}

/**
 * For the InfluxDB paths, in the format of each version. Points that a policy of the organisation refused are not an
 * error of the sender, which could not correct it.
 */
export function influxAnswer(taken: Taken, version: 1 | 2, test: boolean): IngestAnswer {
  if (test) return testAnswer(taken);
  if (taken.refusals.invalid === 0) return NO_CONTENT;
  const message = `partial write: ${describe(taken)}`;
  return { status: 400, body: version === 1 ? { error: message } : { code: 'invalid', message } };
}

/**
 * For remote write 1.0. A sender does not repeat a request that is answered with 4xx, so no refusal leads to a storm.
 * Samples that are not finite are silently omitted: a summary without observations is NaN, so nearly every Prometheus
 * sends some, and treats a 400 as the loss of the whole request.
 */
export function remoteWriteAnswer(taken: Taken, test: boolean): IngestAnswer {
  if (test) return testAnswer(taken);
  if (isInvalid(taken)) return { status: 400, body: report(taken, 400) };
  return taken.refusals.countOf('over_quota') > 0 ? { status: 207, body: report(taken, 207) } : NO_CONTENT;
}

/** For remote write 2.0, whose senders read the written counts from headers and get 400 for everything else. */
export function remoteWrite2Answer(taken: Taken, written: WrittenCounts, test: boolean): IngestAnswer {
  if (test) return testAnswer(taken);
  const isRefused = isInvalid(taken) || taken.refusals.countOf('over_quota') > 0;
  return {
    ...(isRefused ? { status: 400, body: report(taken, 400) } : NO_CONTENT),
    headers: {
      'X-Prometheus-Remote-Write-Samples-Written': String(written.samples),
      'X-Prometheus-Remote-Write-Histograms-Written': String(written.histograms),
      'X-Prometheus-Remote-Write-Exemplars-Written': String(written.exemplars),
    },
  };
}

/** For OTLP, in the encoding of the request: the request succeeds even if points were refused. */
export function otlpAnswer(
  taken: Taken,
  rejectedDataPoints: number,
  encoding: OtlpEncoding,
  test: boolean,
): IngestAnswer {
  if (test) return testAnswer(taken);
  const partialSuccess = rejectedDataPoints === 0 ? null : { rejectedDataPoints, errorMessage: describe(taken) };
  return { status: 200, body: encodeOtlpResponse(encoding, partialSuccess), contentType: OTLP_CONTENT_TYPES[encoding] };
}

const isInvalid = ({ refusals }: Taken): boolean => refusals.invalid > refusals.countOf('not_finite');

export function keyCheckAnswer({ caller }: ReceivedBody): IngestAnswer {
  return {
    status: 200,
    body: { code: 200, valid: true, permissions: toFlags(caller.permissions) } satisfies KeyCheckBody,
  };
}

function testAnswer({ batch, refusals }: Taken): IngestAnswer {
  return { status: 200, body: { code: 200, test: true, ...buildReport(batch, refusals) } };
}

function report(taken: Taken, code: number): IngestReportBody {
  return {
    code,
    error: 'partially_refused',
    // One line per position: people read this in a terminal.
    message: `${describe(taken, '.\n')}.`,
    ...buildReport(taken.batch, taken.refusals),
  };
}

const describe = ({ batch, refusals }: Taken, separator?: string): string =>
  describeRefusals(refusals, batch.count + refusals.total, separator);

/** The format of errors for paths that do not use the native one: `google.rpc.Status` for OTLP. */
export function errorBodyOf(request: IncomingMessage, rule: BodyRule): ErrorBody | undefined {
  if (rule.errors !== 'rpc-status') return undefined;
  const encoding = otlpEncodingOf(contentTypeOf(request, rule));
  return ({ httpStatus, message }) => ({
    contentType: OTLP_CONTENT_TYPES[encoding],
    body: encodeRpcStatus(encoding, rpcCodeOf(httpStatus), message),
  });
}

/** The encoding of an OTLP request, and of its answer. */
export function otlpEncodingOf(contentType: string): OtlpEncoding {
  return mediaTypeOf(contentType) === 'application/json' ? 'json' : 'protobuf';
}
