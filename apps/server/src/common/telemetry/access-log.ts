import { Inject, Injectable } from '@nestjs/common';
import { type RequestHandler } from 'express';
import { type Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { isIngestPath } from '../http/api-paths.js';
import { contextOf, type EdgeRequest } from '../http/request-context.js';
import { isSecretParameter } from '../validation/param-registry.js';
import { LOG } from './log.js';
import { MetricsRegistry } from './metrics.js';

/** One line and one measurement per request. */
@Injectable()
export class AccessLog {
  constructor(
    @Inject(LOG) private readonly log: Logger,
    private readonly metrics: MetricsRegistry,
  ) {}

  middleware(): RequestHandler {
    const writeLine = pinoHttp<EdgeRequest>({
      logger: this.log.child({ context: 'HTTP' }),
      genReqId: (request) => contextOf(request).requestId,
      // The request id is in every line already (see log.ts); the quiet logger would write it a second time.
      quietReqLogger: false,
      wrapSerializers: false,
      serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
      customLogLevel: accessLogLevel,
      customSuccessMessage: (request, response) => messageOf(request, response.statusCode),
      customErrorMessage: (request, response) => messageOf(request, response.statusCode),
      customProps: (request) => {
        const { caller } = request;
        if (caller === undefined || caller.kind === 'anonymous') return {};
        return {
          org: caller.org.id,
          ...(caller.kind === 'user' ? { user: caller.userId } : { token_ref: caller.tokenRef }),
        };
      },
    });
    return (request, response, next) => {
      response.once('close', () => {
        const { route } = contextOf(request);
        this.metrics.observeRequest({
          method: route?.method ?? 'other',
          route: route?.path ?? 'unknown',
          code: response.statusCode,
          seconds: contextOf(request).elapsedSeconds(),
        });
      });
      writeLine(request, response, next);
    };
  }
}

/** Senders send every few seconds: their successful requests are only counted in the metrics. */
export function accessLogLevel(request: { path: string }, response: { statusCode: number }): 'debug' | 'info' | 'warn' {
  if (response.statusCode >= 500) return 'warn';
  return response.statusCode < 300 && isIngestPath(request.path) ? 'debug' : 'info';
}

function messageOf(request: EdgeRequest, status: number): string {
  return `${request.method} ${redactedUrl(request.originalUrl)} ${String(status)}`;
}

/** Not a secret, but personal. */
const PERSONAL_PARAMETER = /email/i;
/** Below this path `state` is the secret of a login; elsewhere it is the state of a user or metric. */
const LOGIN_PATH = /\/login\//i;
const LOGIN_SECRET = /^state$/i;
/** Pages of the console whose address is the key to a benchmark, and the name of a second key. */
const BENCHMARK_PAGE = /^\/benchmark\/./i;
const SECOND_KEY = /^with$/i;
const TOKEN = /pl_[A-Za-z0-9_-]+/g;
const SESSION_ID = /\b[0-9a-f]{32}\b/g;
/** 16 or 32 random bytes as this service writes them: ids of benchmarks, tokens of mails. */
const RANDOM = /^(?:[\w-]{22}|[\w-]{43})$/;
/** Random texts of that length have all of these; few names do. */
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/];

/**
 * The address without the parts that must not be in logs: secret parameters; tokens, session ids and random texts
 * anywhere.
 */
export function redactedUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  const shownPath = BENCHMARK_PAGE.test(path) ? '/benchmark/[hidden]' : path.split('/').map(withoutSecrets).join('/');
  if (query === undefined) return shownPath;
  const pairs = query.split('&').map((pair) => {
    const [rawName = '', value] = pair.split(/=(.*)/s);
    if (value === undefined) return withoutSecrets(rawName);
    return `${withoutSecrets(rawName)}=${isSecretName(rawName, path) ? '[hidden]' : withoutSecrets(value)}`;
  });
  return `${shownPath}?${pairs.join('&')}`;
}

/** A part of an address without tokens and such; a percent-encoded one is hidden with all around it. */
function withoutSecrets(part: string): string {
  const shown = part.replace(TOKEN, '[hidden]').replace(SESSION_ID, '[hidden]');
  const [[, plain] = ['', '']] = new URLSearchParams(`part=${shown}`);
  return plain.search(TOKEN) >= 0 || plain.search(SESSION_ID) >= 0 || isRandom(plain) ? '[hidden]' : shown;
}

const isRandom = (text: string): boolean => RANDOM.test(text) && CLASSES.every((one) => one.test(text));

function isSecretName(rawName: string, path: string): boolean {
  const [name = ''] = new URLSearchParams(rawName).keys();
  return (
    isSecretParameter(name) ||
    PERSONAL_PARAMETER.test(name) ||
    (LOGIN_PATH.test(path) && LOGIN_SECRET.test(name)) ||
    (BENCHMARK_PAGE.test(path) && SECOND_KEY.test(name))
  );
}
