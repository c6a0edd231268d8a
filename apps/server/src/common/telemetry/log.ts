import { Inject, Injectable, type LoggerService } from '@nestjs/common';
import { Writable } from 'node:stream';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type ServerConfig } from '../config/server.config.js';
import { currentRequest } from '../http/request-context.js';
import { traceIds } from './tracing.js';

/** The pino logger of the process, as a provider. */
export const LOG = Symbol('log');

/** Members that are never written to a log line. */
const SECRET_MEMBERS = ['password', 'token', 'session_id', 'sessionId', 'authorization', 'cookie', 'secret', 'sig'];

/** The log of the process: JSON lines, or text on a terminal. Lines written during a request carry its id. */
export function createLog(config: ServerConfig, destination: DestinationStream = process.stdout): Logger {
  const isText = config.logFormat === 'text' || (config.logFormat === 'auto' && process.stdout.isTTY);
  return pino(
    {
      level: config.logLevel,
      base: { node: config.nodeName },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: SECRET_MEMBERS.flatMap((name) => [name, `*.${name}`]), censor: '[hidden]' },
      mixin: () => {
        const context = currentRequest.getStore();
        return { ...(context ? { request_id: context.requestId } : {}), ...(context?.trace ?? traceIds()) };
      },
    },
    isText ? textLines(destination) : destination,
  );
}

/** Turns the JSON lines of pino into lines for people. */
function textLines(destination: DestinationStream): DestinationStream {
  return new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      const {
        time,
        level,
        context,
        msg,
        stack,
        node: _node,
        request_id: _id,
        trace_id: _trace,
        span_id: _span,
        ...rest
      } = JSON.parse(line) as LogLine;
      const extras = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      const parts = [time.slice(11, 19), level.toUpperCase().padEnd(5), context ? `[${context}]` : '', msg, ...extras];
      const text = parts.filter((part) => part !== undefined && part !== '').join(' ');
      destination.write(`${text}\n${stack === undefined ? '' : `${stack}\n`}`);
      done();
    },
  });
}

interface LogLine extends Record<string, unknown> {
  time: string;
  level: string;
  context?: string;
  msg?: string;
  stack?: string;
}

/**
 * Nest's messages about its wiring at every start: hundreds of lines that only help during changes of the wiring. Nest
 * also throws failures, which the caller reports once, in clearer words.
 */
const WIRING: ReadonlySet<string> = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'ExceptionHandler',
]);

/** Nest's `Logger` written to the log of the process. */
@Injectable()
export class NestLog implements LoggerService {
  constructor(@Inject(LOG) private readonly pinoLog: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(isWiring(contextOf(rest)) ? 'debug' : 'info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes `(message, stack, context)`, and leaves the stack out when it has none; we pass the error instead. */
  error(message: unknown, ...rest: unknown[]): void {
    const context = contextOf(rest);
    const error = errorOf(message, rest);
    const given = rest.length > 1 && typeof rest[0] === 'string' ? rest[0] : undefined;
    this.pinoLog[isWiring(context) ? 'debug' : 'error'](
      { context, stack: given ?? error?.stack },
      lineOf(message, rest),
    );
  }

  /** An error among the arguments is the cause; the stack is shown only for errors logged at level error. */
  private write(level: 'info' | 'warn' | 'debug' | 'trace' | 'fatal', message: unknown, rest: unknown[]): void {
    const isError = message instanceof Error;
    const fields = typeof message === 'object' && message !== null && !isError ? message : {};
    const text = typeof message === 'object' && !isError ? undefined : lineOf(message, rest);
    this.pinoLog[level]({ ...fields, context: contextOf(rest) }, text);
  }
}

const contextOf = (rest: readonly unknown[]): unknown => rest[rest.length - 1];

const isWiring = (context: unknown): boolean => WIRING.has(String(context));

function errorOf(message: unknown, rest: readonly unknown[]): Error | undefined {
  return [message, ...rest].find((part) => part instanceof Error);
}

function lineOf(message: unknown, rest: readonly unknown[]): string {
  const cause = rest.find((part) => part instanceof Error);
  return cause ? `${textOf(message)}: ${cause.message}` : textOf(message);
}

function textOf(message: unknown): string {
  return message instanceof Error ? message.message : typeof message === 'string' ? message : JSON.stringify(message);
}
