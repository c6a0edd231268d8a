import { type IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import snappy from 'snappy';
import { snappyUncompressedLength } from '#libs/protocols';
import { MalformedBodyError, TooLargeError } from '../../common/http/http.errors.js';
import { type BodyShare } from './body-budget.service.js';
import { type BodyLimits, type IngestEncoding } from './ingest-body.js';
import { BodyCutError, IngestBusyError, parserError } from './ingest.errors.js';

/** How long a sender may take, in seconds. */
export interface BodyPatience {
  /** Without a byte. */
  idleSeconds: number;
  /** For the whole body. */
  wholeSeconds: number;
}

/** A body that has arrived. */
export interface ReadBody {
  bytes: Uint8Array;
  /** Length before decompression. */
  sentBytes: number;
}

/** Inflated bytes are fetched in pieces of this size: a few for a usual body, and each is counted before the next. */
const MIN_PIECE_BYTES = 64 * 1024;
const MAX_PIECE_BYTES = 1024 * 1024;
const USUAL_GZIP_RATIO = 8;
/** A copy of snappy makes at most 64 bytes of 3; a body that says more of itself lies, or is empty but for its length. */
const MAX_SNAPPY_RATIO = 22;
/** So long a refused body may go on arriving, so that its sender gets to read the answer. */
const DRAIN_SECONDS = 10;

/**
 * The body, decompressed. Reading stops at the limits, and so does decompression: a small body cannot take much memory.
 * Every byte is held in `share` first. A sender that stalls loses its connection.
 * @throws TooLargeError, MalformedBodyError, BodyCutError, IngestBusyError
 */
export async function readBody(
  request: IncomingMessage,
  encoding: IngestEncoding,
  limits: BodyLimits,
  share: BodyShare,
  patience: BodyPatience,
): Promise<ReadBody> {
  const sent = await readSent(request, limits.maxBodyBytes, share, patience);
  const bytes = await expand(sent, encoding, limits.maxExpandedBytes, share);
  if (bytes !== sent) share.give(sent.length);
  return { bytes, sentBytes: sent.length };
}

/** Lets the rest of a refused body pass, for a while: a sender that is still sending reads no answer. */
export function drain(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DRAIN_SECONDS * 1000);
  timer.unref();
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  // The end of the rest does not matter.
  request.on('error', () => undefined);
  request.resume();
}

function readSent(
  request: IncomingMessage,
  maxBytes: number,
  share: BodyShare,
  { idleSeconds, wholeSeconds }: BodyPatience,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const release = () => {
      clearTimeout(idle);
      clearTimeout(whole);
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
    };
    const stop = (error: Error) => {
      release();
      reject(error);
    };
    const onStall = () => {
      stop(new BodyCutError('stalled', 'The body did not arrive in time.'));
      // An answer would end up in the middle of a conversation that the sender has not finished; a closed connection
      // is what every sender takes as a reason to send again.
      request.on('error', () => undefined).destroy();
    };
    const onData = (chunk: Buffer) => {
      idle.refresh();
      length += chunk.length;
      if (length > maxBytes) {
        stop(new TooLargeError('The body', maxBytes));
        return;
      }
      if (!share.tryTake(chunk.length)) {
        stop(new IngestBusyError('memory_full'));
        return;
      }
      chunks.push(chunk);
    };
    const onEnd = () => {
      release();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    };
    const onCut = () => stop(new BodyCutError('cut', 'The body ended before it was complete.'));
    const idle = setTimeout(onStall, idleSeconds * 1000);
    const whole = setTimeout(onStall, wholeSeconds * 1000);
    request.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut);
  });
}

async function expand(sent: Buffer, encoding: IngestEncoding, maxBytes: number, share: BodyShare): Promise<Buffer> {
  if (encoding === 'gzip') return inflate(sent, maxBytes, share);
  if (encoding === 'snappy') return unsnap(sent, maxBytes, share);
  if (sent.length > maxBytes) throw new TooLargeError('The body', maxBytes);
  return sent;
}

function inflate(sent: Buffer, maxBytes: number, share: BodyShare): Promise<Buffer> {
  const chunkSize = Math.min(Math.max(sent.length * USUAL_GZIP_RATIO, MIN_PIECE_BYTES), MAX_PIECE_BYTES);
  const gunzip = createGunzip({ chunkSize });
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    gunzip.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= maxBytes && share.tryTake(piece.length)) {
        pieces.push(piece);
        return;
      }
      reject(length > maxBytes ? tooLargeExpanded(maxBytes) : new IngestBusyError('memory_full'));
      gunzip.destroy();
    });
    gunzip.once('end', () => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length)));
    gunzip.once('error', () => reject(new MalformedBodyError('The body is no valid gzip.')));
    gunzip.end(sent);
  });
}

async function unsnap(sent: Buffer, maxBytes: number, share: BodyShare): Promise<Buffer> {
  let length: number;
  try {
    length = snappyUncompressedLength(sent);
  } catch (error) {
    throw parserError(error);
  }
  if (length > maxBytes) throw tooLargeExpanded(maxBytes);
  if (length > sent.length * MAX_SNAPPY_RATIO) throw new MalformedBodyError('The body is no valid snappy block.');
  share.reserve(length);
  try {
    return (await snappy.uncompress(sent, { asBuffer: true })) as Buffer;
  } catch {
    throw new MalformedBodyError('The body is no valid snappy block.');
  }
}

function tooLargeExpanded(maxBytes: number): TooLargeError {
  return new TooLargeError('The decompressed body', maxBytes);
}
