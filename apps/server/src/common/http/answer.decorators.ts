import { SetMetadata } from '@nestjs/common';

export const CACHE_RULE = Symbol('cache rule');
export interface CacheRule {
  seconds: number;
  visibility: 'private' | 'public';
  /** The answer has an ETag computed from its content (of an envelope: from `data`). */
  etag: boolean;
}

/** `Cache-Control` of a route whose answers may be kept; all others are `no-store`. */
export const CacheFor = (
  seconds: number,
  visibility: CacheRule['visibility'],
  options: { etag?: boolean } = {},
): MethodDecorator => SetMetadata(CACHE_RULE, { seconds, visibility, etag: options.etag ?? false } satisfies CacheRule);

export const SUCCESSOR = Symbol('successor');

/**
 * Marks an older form of a call. Answers have `Deprecation: true` and the address of the new form; `path` is below the
 * API base, and its `:names` are replaced with parameters of the request.
 */
export const SupersededBy = (path: string): MethodDecorator => SetMetadata(SUCCESSOR, path);

export const RAW_BODY = Symbol('raw body');

/** Keeps the body as the bytes that were sent, for callers that sign them; `RawBody` is the parameter with them. */
export const AcceptRawBody = (): MethodDecorator => SetMetadata(RAW_BODY, true);

export const UPLOAD = Symbol('upload');

/**
 * A route that takes data of the size of a file: as a `multipart/form-data` body (files are Buffers among the parameters)
 * or as JSON, both up to `PLUMBLINE_MAX_UPLOAD_BYTES`.
 */
export const AcceptUpload = (): MethodDecorator => SetMetadata(UPLOAD, true);

export const PLAIN_TEXT_BODY = Symbol('plain text body');

/** Lets a route accept JSON as `text/plain`, which browsers send across origins without a preflight request. */
export const AcceptPlainText = (): MethodDecorator => SetMetadata(PLAIN_TEXT_BODY, true);

export const RAW_RESPONSE = Symbol('raw response');

/** The answer is sent as the handler returns it, without envelope: pictures, graphs, the API description. */
export const RawResponse = (): MethodDecorator & ClassDecorator => SetMetadata(RAW_RESPONSE, true);

export const UNCOMPRESSED = Symbol('uncompressed');

/**
 * The answer may contain secrets of the organisation; it is not compressed, so that its length reveals nothing about
 * them.
 */
export const Uncompressed = (): MethodDecorator => SetMetadata(UNCOMPRESSED, true);
