import { type IncomingMessage } from 'node:http';
import { constants, createGunzip } from 'node:zlib';
import snappy from 'snappy';
import { snappyUncompressedLength } from '#libs/protocols';
import { type ByteShare } from '../../common/fair-share/byte-budget.js';
import { LARGE_BODY_BYTES } from '../../common/http/body-parsing.js';
import { type BodyTimeouts, readSent, type SentBytes } from '../../common/http/body-stream.js';
import { MalformedBodyError, TooLargeError } from '../../common/http/http.errors.js';
import { reserve } from './body-budget.service.js';
import { type BodyLimits, type IngestEncoding } from './ingest-body.js';
import { IngestBusyError } from './ingest.errors.js';
import { gather } from './own-memory.js';
import { parserError } from './parser-error.js';

/** A received body. */
export interface ReadBody {
  bytes: Uint8Array;
  /** Length before decompression. */
  sentBytes: number;
}

/** Decompressed bytes are read in pieces of this size: a few for a usual body, and each is counted before the next. */
const MIN_PIECE_BYTES = 64 * 1024;
const MAX_PIECE_BYTES = 1024 * 1024;
const USUAL_GZIP_RATIO = 8;
/**
 * A copy in snappy produces at most 64 bytes from 3; a body that declares more is invalid, or is empty except for its
 * length.
 */
const MAX_SNAPPY_RATIO = 22;

/**
 * Reads and decompresses the body. Reading stops at the limits, and so does decompression: a small body cannot use much
 * memory. Every byte is reserved in `share` first. A stalling sender is disconnected.
 * @param start the part that `readStart` has read
 * @throws TooLargeError, MalformedBodyError, BodyCutError, IngestBusyError
 */
export async function readBody(
  request: IncomingMessage,
  encoding: IngestEncoding,
  limits: BodyLimits,
  share: ByteShare,
  timeouts: BodyTimeouts,
  start?: SentBytes,
): Promise<ReadBody> {
  const sent =
    start?.isWhole === true
      ? start
      : await readSent(request, { maxBytes: limits.maxBodyBytes, share, timeouts, full, start: start?.bytes });
  const bytes = await expand(sent.bytes, encoding, limits.maxExpandedBytes, share);
  if (bytes !== sent.bytes) share.releaseBytes(sent.bytes.length);
  return { bytes, sentBytes: sent.bytes.length };
}

/** The beginning of a body, before its sender is known. */
export interface BodyStart {
  sent: SentBytes;
  /** Decompressed, at most `maxBytes`. */
  bytes: Uint8Array;
  /** The body has no more bytes than `bytes`. */
  isWhole: boolean;
}

/**
 * Reads the first `maxBytes` of a body with gzip or without compression, and does no work for the rest: reading pauses
 * there, and so does decompression.
 * @throws TooLargeError, MalformedBodyError, BodyCutError, IngestBusyError
 */
export async function readStart(
  request: IncomingMessage,
  encoding: IngestEncoding,
  maxBytes: number,
  limits: BodyLimits,
  share: ByteShare,
  timeouts: BodyTimeouts,
): Promise<BodyStart> {
  const sent = await readSent(request, {
    ...{ maxBytes: limits.maxBodyBytes, share, timeouts, full },
    pauseAtBytes: maxBytes + 1,
  });
  if (encoding !== 'gzip') {
    return { sent, bytes: sent.bytes.subarray(0, maxBytes), isWhole: sent.isWhole && sent.bytes.length <= maxBytes };
  }
  const { bytes, isWhole } = await inflateStart(sent, maxBytes);
  return { sent, bytes, isWhole };
}

const full = (): Error => new IngestBusyError('memory_full');

async function expand(sent: Buffer, encoding: IngestEncoding, maxBytes: number, share: ByteShare): Promise<Buffer> {
  if (encoding === 'gzip') return inflate(sent, maxBytes, share);
  if (encoding === 'snappy') return unsnap(sent, maxBytes, share);
  if (sent.length > maxBytes) throw new TooLargeError('The body', maxBytes);
  return sent;
}

function inflate(sent: Buffer, maxBytes: number, share: ByteShare): Promise<Buffer> {
  const chunkSize = Math.min(Math.max(sent.length * USUAL_GZIP_RATIO, MIN_PIECE_BYTES), MAX_PIECE_BYTES);
  const gunzip = createGunzip({ chunkSize });
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    gunzip.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= maxBytes && share.tryReserve(piece.length)) {
        pieces.push(piece);
        return;
      }
      reject(length > maxBytes ? tooLargeExpanded(maxBytes) : new IngestBusyError('memory_full'));
      gunzip.destroy();
    });
    gunzip.once('end', () => resolve(pieces.length === 1 ? pieces[0]! : gather(pieces)));
    gunzip.once('error', () => reject(new MalformedBodyError('The body is not valid gzip.')));
    gunzip.end(sent);
  });
}

/** The first `maxBytes` of the decompressed body; this memory is small and freed immediately, so it is not counted. */
function inflateStart(sent: SentBytes, maxBytes: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  // Decompresses as much as possible of a body that was read in part.
  const gunzip = createGunzip({
    chunkSize: MIN_PIECE_BYTES,
    ...(sent.isWhole ? {} : { finishFlush: constants.Z_SYNC_FLUSH }),
  });
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = (isWhole: boolean) => {
      resolve({ bytes: Buffer.concat(pieces).subarray(0, maxBytes), isWhole });
    };
    gunzip.on('data', (piece: Buffer) => {
      length += piece.length;
      pieces.push(piece);
      if (length <= maxBytes) return;
      finish(false);
      gunzip.destroy();
    });
    gunzip.once('end', () => finish(sent.isWhole));
    gunzip.once('error', () => reject(new MalformedBodyError('The body is not valid gzip.')));
    gunzip.end(sent.bytes);
  });
}

async function unsnap(sent: Buffer, maxBytes: number, share: ByteShare): Promise<Buffer> {
  let length: number;
  try {
    length = snappyUncompressedLength(sent);
  } catch (error) {
    throw parserError(error);
  }
  if (length > maxBytes) throw tooLargeExpanded(maxBytes);
  if (length > sent.length * MAX_SNAPPY_RATIO) throw new MalformedBodyError('The body is not a valid snappy block.');
  reserve(share, length);
  try {
    const bytes = (await snappy.uncompress(sent, { asBuffer: true })) as Buffer;
    // Memory of native code cannot move to a thread.
    return bytes.length > LARGE_BODY_BYTES ? await gather([bytes]) : bytes;
  } catch {
    throw new MalformedBodyError('The body is not a valid snappy block.');
  }
}

function tooLargeExpanded(maxBytes: number): TooLargeError {
  return new TooLargeError('The decompressed body', maxBytes);
}
