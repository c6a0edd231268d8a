import { maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { type RequestHandler } from 'express';
import { errorData, type StatusBlocks } from '../envelope/status-blocks.js';
import { type AppError } from '../errors/app-error.js';
import { MalformedBodyError, TooLargeError } from './http.errors.js';
import { RequestContext } from './request-context.js';

/**
 * Answers data that the server could not parse as a request. It reaches no middleware, so envelope and headers are
 * written here; the connection is closed, because the start of the next request is unknown.
 */
export function answerBrokenRequests(server: Server, statusBlocks: StatusBlocks): void {
  server.on('clientError', (failure: NodeJS.ErrnoException, socket: Socket) => {
    if (socket.writable && !isAnswering(socket)) {
      const error = errorOf(failure.code);
      // A request that never ended gets no answer: its sender has disconnected or only holds the connection.
      if (error) socket.write(answerText(error, statusBlocks));
    }
    socket.destroy(failure);
  });
}

/**
 * Node itself would answer a request without `Host`, or with an unknown `Expect`, with a bare status. The first is left
 * to `refuseWithoutHost`, the second is handled like any other request: HTTP allows both answers to it (RFC 9110,
 * 10.1.1).
 */
export function overrideNodeAnswers(server: Server): void {
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** A request of HTTP/1.1 must have a Host header. */
export const refuseWithoutHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    throw new MalformedBodyError('This is not a valid HTTP request: the header Host is missing.');
  }
  next();
};

/** An answer is being sent, and other text would end up in the middle of it. The name is Node's own. */
function isAnswering(socket: Socket): boolean {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
}

function errorOf(code: string | undefined): AppError | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return new TooLargeError('The address together with the headers', maxHeaderSize);
  return code?.startsWith('HPE_') ? new MalformedBodyError('This is not a valid HTTP request.') : undefined;
}

function answerText({ httpStatus, code, message }: AppError, statusBlocks: StatusBlocks): string {
  const context = new RequestContext(undefined);
  const body = JSON.stringify({
    status: statusBlocks.ofUnreadable(context, httpStatus),
    data: errorData(code, message, []),
  });
  const headers = {
    'X-Request-Id': context.requestId,
    'X-Api-Version': '1',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${String(httpStatus)} ${STATUS_CODES[httpStatus] ?? ''}`, ...lines, '', body].join('\r\n');
}
