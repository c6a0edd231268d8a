import compression from 'compression';
import { type Request, type RequestHandler, type Response } from 'express';
import { type ServerConfig } from '../config/server.config.js';
import { isAllowedOrigin } from '../auth/access.guard.js';
import { readCookie, SESSION_COOKIE } from './answer.js';
import { isIngestPath, isPrometheusPath } from './api-paths.js';
import { UNCOMPRESSED } from './answer.decorators.js';
import { isPageFile } from './page-answers.js';
import { contextOf } from './request-context.js';

/** Smaller answers fit into a packet or two anyway. */
const THRESHOLD_BYTES = 1024;
/**
 * For gzip, which nearby programs use to read long columns of digits: a fifth of the time of the default level for a
 * seventh more bytes.
 */
const FAST_LEVEL = 1;

/**
 * Compresses answers from 1 kB up, if the client accepts it (br, gzip, deflate). Not compressed: data that already is
 * (pictures), streams, answers of the ingest paths, files of the console (they were packed when they were built), and
 * answers whose length could reveal a secret.
 */
export function compressAnswers(config: ServerConfig): RequestHandler {
  const options = {
    threshold: THRESHOLD_BYTES,
    filter: (request: Request, response: Response): boolean => {
      const type = String(response.getHeader('Content-Type') ?? '');
      if (type.startsWith('text/event-stream') || isIngestPath(request.path) || isPageFile(request.path)) return false;
      return compression.filter(request, response) && isSafeToCompress(config, request);
    },
  };
  const compress = compression(options);
  const compressFast = compression({ ...options, level: FAST_LEVEL });
  return (request, response, next) => {
    (isPrometheusPath(request.path) ? compressFast : compress)(request, response, next);
  };
}

/**
 * A site that can make a browser send chosen parameters again and again, and sees how long the answers are, can guess a
 * secret in a compressed answer letter by letter. Answers with secrets are those of writes and of routes that declare
 * it. The status block of every answer names the session; a foreign page makes a browser present it by its cookie
 * alone, so an answer to a cookie is compressed only when the browser reports that the request comes from a page of the
 * console.
 */
function isSafeToCompress(config: ServerConfig, request: Request): boolean {
  const { route } = contextOf(request);
  if (route !== undefined && (route.isSideEffect || Reflect.getMetadata(UNCOMPRESSED, route.handler) === true))
    return false;
  if (readCookie(request, SESSION_COOKIE) === undefined) return true;
  const origin = request.get('origin');
  return request.get('sec-fetch-site') === 'same-origin' || (origin !== undefined && isAllowedOrigin(config, origin));
}
