import express, { type Request, type RequestHandler } from 'express';
import { type ServerConfig } from '../config/server.config.js';
import { isIngestPath } from './api-paths.js';
import { MalformedBodyError, TooLargeError, UnsupportedMediaTypeError } from './http.errors.js';
import { contextOf } from './request-context.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const TEXT_TYPE = 'text/plain';
/** No call nests deeper than a few levels; deeper bodies could overflow the stack of recursive code. */
const MAX_NESTING = 64;

/**
 * Reads JSON and form bodies of API requests; `request.body` is an object afterwards. Bodies of GET are ignored, those
 * of the ingest paths are left in the stream. Anything that is neither JSON nor form is refused before it is read,
 * except where a route takes the bytes themselves.
 */
export function bodyReader(config: ServerConfig): RequestHandler {
  const anyType = () => true;
  const readJson: RequestHandler = express.json({ limit: config.maxBodyBytes, type: anyType, strict: true });
  const readForm: RequestHandler = express.urlencoded({ limit: config.maxBodyBytes, type: anyType, extended: false });
  // Signed bytes are those that were sent, so nothing is unpacked.
  const readRaw: RequestHandler = express.raw({ limit: config.maxBodyBytes, type: anyType, inflate: false });
  return (request, response, next) => {
    if (isIngestPath(request.path)) {
      next();
      return;
    }
    if (request.method === 'GET' || request.method === 'HEAD' || !hasBody(request)) {
      request.body = {};
      next();
      return;
    }
    if (contextOf(request).route?.takesRawBody === true) {
      readRaw(request, response, (error: unknown) => {
        contextOf(request).rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        request.body = {};
        next(error === undefined ? undefined : bodyError(error, false, config));
      });
      return;
    }
    const type = mediaType(request);
    const isJson = type === JSON_TYPE || (type === TEXT_TYPE && contextOf(request).route?.takesPlainText === true);
    if (!isJson && type !== FORM_TYPE) {
      throw new UnsupportedMediaTypeError(
        `${type === '' ? 'A body without Content-Type' : `"${type}"`} cannot be read here; send ${JSON_TYPE} or ${FORM_TYPE}.`,
      );
    }
    (isJson ? readJson : readForm)(request, response, (error: unknown) => {
      if (error !== undefined) {
        next(bodyError(error, isJson, config));
        return;
      }
      // An empty chunked body leaves nothing behind.
      request.body ??= {};
      next(isJson ? shapeError(request.body as object) : undefined);
    });
  };
}

/** What is wrong with a JSON body besides its text. */
function shapeError(body: object): MalformedBodyError | undefined {
  if (Array.isArray(body)) return new MalformedBodyError('The JSON body must be an object.');
  let level: object[] = [body];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_NESTING) {
      return new MalformedBodyError(`The JSON body is nested deeper than ${String(MAX_NESTING)} levels.`);
    }
    level = level.flatMap((container) => Object.values(container) as unknown[]).filter(isContainer);
  }
  return undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function mediaType(request: Request): string {
  return (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

/** The failures of body-parser, which marks them with `type`. */
function bodyError(error: unknown, isJson: boolean, config: ServerConfig): unknown {
  const { type } = error as { type?: unknown };
  switch (type) {
    case 'entity.too.large':
      return new TooLargeError('The body', config.maxBodyBytes);
    case 'parameters.too.many':
      return new MalformedBodyError('The form has too many fields.');
    case 'encoding.unsupported':
      return new UnsupportedMediaTypeError(
        'The Content-Encoding of the body is not supported; use gzip, deflate or br.',
      );
    case 'charset.unsupported':
      return new UnsupportedMediaTypeError('The character set of the body is not supported; send UTF-8.');
    case undefined:
      // The decompressor complains without a type of body-parser; what else has none is not about the body.
      return isZlibError(error) ? new MalformedBodyError('The compressed body is corrupt.') : error;
    default:
      return new MalformedBodyError(isJson ? 'The body is not a JSON object.' : 'The body is not a form.');
  }
}

function isZlibError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('Z_');
}
