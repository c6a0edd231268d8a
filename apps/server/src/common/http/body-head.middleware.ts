import { type Request, type RequestHandler } from 'express';
import { type ServerConfig } from '../config/server.config.js';
import { isIngestPath } from './api-paths.js';
import { drain } from './body-stream.js';
import { TooLargeError, UnsupportedMediaTypeError } from './http.errors.js';
import { contextOf, type ExpectedBody } from './request-context.js';
import { type Route } from './route-table.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
const TEXT_TYPE = 'text/plain';

/**
 * Determines the body of an API request from its headers alone: compares type, encoding and length with those that the
 * route accepts, without reading a byte. `BodyGuard` reads the body after the caller is known. Bodies of GET are
 * ignored; the ingest paths read theirs themselves.
 */
export function bodyHead(config: ServerConfig): RequestHandler {
  return (request, response, next) => {
    if (isIngestPath(request.path)) {
      next();
      return;
    }
    request.body = {};
    // A body that is not read, because the request is refused or is a GET, must not keep arriving without end.
    response.once('finish', () => drain(request));
    if (request.method !== 'GET' && request.method !== 'HEAD' && hasBody(request)) {
      contextOf(request).expectedBody = expectedBody(request, contextOf(request).route, config);
    }
    next();
  };
}

/** @throws UnsupportedMediaTypeError, TooLargeError */
function expectedBody(request: Request, route: Route | undefined, config: ServerConfig): ExpectedBody {
  const kind = kindOf(request, route);
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity') {
    throw new UnsupportedMediaTypeError(
      `A body with Content-Encoding "${encoding}" cannot be read here; send it uncompressed.`,
    );
  }
  const isUpload = route?.takesUpload === true && kind !== 'raw';
  const isPublic = route?.access?.kind === 'public' && kind !== 'raw';
  const plainBytes = isPublic ? Math.min(config.maxPublicBodyBytes, config.maxBodyBytes) : config.maxBodyBytes;
  const maxBytes = isUpload ? config.maxUploadBytes : plainBytes;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new TooLargeError('The body', maxBytes);
  return { kind, isUpload, maxBytes };
}

function kindOf(request: Request, route: Route | undefined): ExpectedBody['kind'] {
  if (route?.takesRawBody === true) return 'raw';
  const [type, charset] = contentType(request);
  if (type === MULTIPART_TYPE && route?.takesUpload === true) return 'multipart';
  const isJson = type === JSON_TYPE || (type === TEXT_TYPE && route?.takesPlainText === true);
  if (!isJson && type !== FORM_TYPE) {
    throw new UnsupportedMediaTypeError(
      `${type === '' ? 'A body without Content-Type' : `"${type}"`} cannot be read here; send ${typesOf(route)}.`,
    );
  }
  if (charset !== 'utf-8') {
    throw new UnsupportedMediaTypeError('The character set of the body is not supported; send UTF-8.');
  }
  return isJson ? 'json' : 'form';
}

function typesOf(route: Route | undefined): string {
  const types = route?.takesUpload === true ? [JSON_TYPE, MULTIPART_TYPE] : [JSON_TYPE];
  return `${types.join(', ')} or ${FORM_TYPE}`;
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Media type and character set, in lower case. */
function contentType(request: Request): [type: string, charset: string] {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((text) => /^charset="?([^"]+)"?$/.exec(text.trim())?.[1]).find(Boolean);
  return [type.trim(), charset === undefined || charset === 'utf8' ? 'utf-8' : charset];
}
