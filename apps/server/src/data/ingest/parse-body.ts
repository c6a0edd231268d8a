import {
  type CsvOptions,
  type HistogramFolder,
  type InfluxPrecision,
  type JsonBody,
  type OtlpEncoding,
  type OtlpResult,
  parseCsv,
  parseExposition,
  parseInflux,
  parseJsonMetrics,
  type ParseLimits,
  parseOtlp,
  parseRemoteWrite,
  parseRemoteWrite2,
  type ParseResult,
  readJsonBody,
  type RemoteWriteResult,
} from '#libs/protocols';
import { MalformedBodyError } from '../../common/http/http.errors.js';
import { readMultipart } from '../../common/http/multipart.js';
import { mediaTypeOf } from './ingest-body.js';
import { type ProtocolSetting } from './protocol-settings.service.js';

/** Replaces bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/** The input of a parser: only values that can be sent to a thread, so no functions. */
export type ParseWork =
  | { protocol: 'json' }
  | { protocol: 'influx'; precision: InfluxPrecision }
  | { protocol: 'prometheus'; version: 1 | 2 }
  | { protocol: 'prometheus'; version: 'text'; isOpenMetrics: boolean }
  | { protocol: 'otlp'; encoding: OtlpEncoding }
  | ({ protocol: 'csv'; contentType: string } & CsvOptions);

interface FoundBy {
  json: ParseResult;
  influx: ParseResult;
  prometheus: RemoteWriteResult;
  otlp: OtlpResult;
  csv: ParseResult;
}

/** The result type of the parser of a protocol. */
export type FoundIn<Work extends ParseWork> = FoundBy[Work['protocol']];

/** A body and the input of its parser. */
export interface ParseTask<Work extends ParseWork = ParseWork> {
  work: Work;
  bytes: Uint8Array;
  limits: ParseLimits;
  /** Organisation's id. */
  orgId: number;
  /** The setting of the organisation for the protocol. */
  setting: ProtocolSetting;
}

/**
 * Parses a body. `json`: the parsed JSON, if it is available already. @throws errors of the parsers, MalformedBodyError
 */
export function parseBody<Work extends ParseWork>(
  task: ParseTask<Work>,
  folder: HistogramFolder,
  json: JsonBody | null = null,
): FoundIn<Work> {
  const { work, bytes, limits, orgId, setting }: ParseTask = task;
  const histograms = { folder, scope: orgId, settings: setting.histograms };
  const parse = (): FoundBy[ParseWork['protocol']] => {
    switch (work.protocol) {
      case 'json':
        return parseJsonMetrics(json ?? readJsonBody(bytes, limits.maxPoints), limits);
      case 'influx':
        return parseInflux(bytes, { precision: work.precision, onBadLine: 'skip' }, limits);
      case 'prometheus':
        if (work.version === 'text') return parseExposition(bytes, work, limits, histograms);
        return (work.version === 2 ? parseRemoteWrite2 : parseRemoteWrite)(bytes, limits, histograms);
      case 'otlp': {
        const options = { encoding: work.encoding, histograms, resourceAttributes: setting.resourceAttributes };
        return parseOtlp(bytes, options, limits);
      }
      case 'csv': {
        const { contentType } = work;
        const isForm = mediaTypeOf(contentType) === 'multipart/form-data';
        return parseCsv(isForm ? multipartFile(bytes, contentType, 'file') : bytes, work, limits);
      }
    }
  };
  return parse() as FoundIn<Work>;
}

/** True if a body changed the state of histograms, which is stored in the thread that parsed it. */
export function hasHistograms(found: ParseResult & Partial<RemoteWriteResult & OtlpResult>): boolean {
  const folded = (found.histogramPoints?.size ?? 0) + (found.withoutRow?.samples ?? 0);
  return folded > 0 || (found.histogramRows ?? null) !== null;
}

/**
 * The content of a file in a `multipart/form-data` body that is in memory: a view of the given bytes, not a copy. Other
 * parts are skipped. A field without a file name is also accepted, as UTF-8.
 *
 * @param field name of the form field
 * @throws MalformedBodyError the body is not multipart, or has no such file
 */
export function multipartFile(bytes: Uint8Array, contentType: string, field: string): Uint8Array {
  const { parts, fault } = readMultipart(bytes, contentType);
  const content = parts.find(({ name }) => name === field)?.content;
  if (content === undefined) throw fault ?? new MalformedBodyError(`The form has no file in a field "${field}".`);
  if (typeof content !== 'string') return content;
  if (content.includes(REPLACEMENT)) {
    throw new MalformedBodyError(`The field "${field}" is not valid UTF-8; save the file in UTF-8.`);
  }
  return Buffer.from(content);
}
