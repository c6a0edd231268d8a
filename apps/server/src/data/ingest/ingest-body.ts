import { type IncomingMessage } from 'node:http';
import { excerpt, quoted } from '#libs/protocols';
import { TooLargeError, UnsupportedMediaTypeError } from '../../common/http/http.errors.js';

export type IngestEncoding = 'identity' | 'gzip' | 'snappy';

/** The bodies that a path accepts. */
export interface BodyRule {
  /**
   * Media types without parameters; `text/*` and the like are allowed. A request without Content-Type is parsed as the
   * first.
   */
  types: readonly string[];
  encodings: readonly IngestEncoding[];
  /** Known media types that are refused: those whose text matches. */
  refused?: RegExp;
  /** A JSON body in the native format, whose members may contain the token and switches. */
  hasSwitches?: boolean;
  /**
   * Parameters of the query string; others are refused. Default: any are accepted, because programs of the protocol send
   * their own.
   */
  parameters?: readonly string[];
  /** Bodies of files are larger than those of agents. */
  limits?: 'file';
  /** It contains no points, so it is accepted however many points wait. */
  isWithoutPoints?: boolean;
  /** The points are history unless the sender specifies otherwise. */
  isHistory?: boolean;
  /** The format of errors; `report` is the native one. */
  errors?: 'report' | 'rpc-status';
}

export interface BodyLimits {
  /** Bytes as sent. */
  maxBodyBytes: number;
  /** Bytes after decompression. */
  maxExpandedBytes: number;
  /** Points in one body. */
  maxPoints: number;
}

/**
 * Checks that do not read the body: its type, its encoding, and its size if the sender declares it.
 * @throws UnsupportedMediaTypeError, TooLargeError
 */
export function checkHead(request: IncomingMessage, rule: BodyRule, limits: BodyLimits): IngestEncoding {
  const contentType = contentTypeOf(request, rule);
  const type = mediaTypeOf(contentType);
  const isKnown = rule.types.some((known) =>
    known.endsWith('/*') ? type.startsWith(known.slice(0, -1)) : type === known,
  );
  if (!isKnown || rule.refused?.test(contentType)) {
    const types = rule.types.join(' or ');
    throw new UnsupportedMediaTypeError(
      `Content-Type must be ${types}, got ${JSON.stringify(excerpt(contentType, 100))}.`,
    );
  }
  const encoding = encodingOf(request);
  if (!rule.encodings.includes(encoding as IngestEncoding)) {
    const allowed = rule.encodings.map((known) => (known === 'identity' ? 'none' : known)).join(', ');
    throw new UnsupportedMediaTypeError(`Content-Encoding must be one of ${allowed}, got ${quoted(encoding)}.`);
  }
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBodyBytes) {
    throw new TooLargeError('The body', limits.maxBodyBytes);
  }
  return encoding as IngestEncoding;
}

/** Including its parameters; the first type of the rule if the sender names none. */
export function contentTypeOf(request: IncomingMessage, rule: BodyRule): string {
  return request.headers['content-type'] ?? rule.types[0]!;
}

/** In lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(';')[0]!.trim().toLowerCase();
}

function encodingOf(request: IncomingMessage): string {
  const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '') return 'identity';
  return encoding === 'x-gzip' ? 'gzip' : encoding;
}
