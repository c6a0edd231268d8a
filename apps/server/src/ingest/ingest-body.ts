import { type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import snappy from 'snappy';
import { snappyUncompressedLength } from '#libs/protocols';
import { MalformedBodyError, TooLargeError, UnsupportedMediaTypeError } from '../common/http/http.errors.js';
import { parserError } from './ingest.errors.js';

export type IngestEncoding = 'identity' | 'gzip' | 'snappy';

/** What a path takes. */
export interface BodyRule {
  /** Media types without parameters; `text/*` and the like allowed. A request without Content-Type is taken as the first. */
  types: readonly string[];
  encodings: readonly IngestEncoding[];
  /** Media types that are known and refused all the same: those carrying this text. */
  refused?: RegExp;
}

export interface BodyLimits {
  /** Bytes as sent. */
  maxBodyBytes: number;
  /** Bytes after decompression. */
  maxExpandedBytes: number;
}

const gunzipAsync = promisify(gunzip);

/**
 * What can be said before a byte of the body is read: its type, its encoding, and its size when the sender tells it.
 * @throws UnsupportedMediaTypeError, TooLargeError
 */
export function checkHead(request: IncomingMessage, rule: BodyRule, limits: BodyLimits): IngestEncoding {
  const contentType = request.headers['content-type'] ?? rule.types[0]!;
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const isKnown = rule.types.some((known) =>
    known.endsWith('/*') ? type.startsWith(known.slice(0, -1)) : type === known,
  );
  if (!isKnown || rule.refused?.test(contentType)) {
    throw new UnsupportedMediaTypeError(`"${contentType}" cannot be read here; send ${rule.types.join(' or ')}.`);
  }
  const encoding = encodingOf(request);
  if (!rule.encodings.includes(encoding as IngestEncoding)) {
    const allowed = rule.encodings.map((known) => (known === 'identity' ? 'none' : known)).join(', ');
    throw new UnsupportedMediaTypeError(`Content-Encoding "${encoding}" cannot be read here; allowed: ${allowed}.`);
  }
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBodyBytes) {
    throw new TooLargeError('The body', limits.maxBodyBytes);
  }
  return encoding as IngestEncoding;
}

/**
 * The body, decompressed. Reading stops at the limit, and so does decompression: a small body cannot take much memory.
 * @throws TooLargeError, MalformedBodyError
 */
export async function readBody(
  request: IncomingMessage,
  encoding: IngestEncoding,
  limits: BodyLimits,
): Promise<Uint8Array> {
  const sent = await readSent(request, limits.maxBodyBytes);
  if (encoding === 'gzip') return inflate(sent, limits.maxExpandedBytes);
  if (encoding === 'snappy') return unsnap(sent, limits.maxExpandedBytes);
  if (sent.length > limits.maxExpandedBytes) throw new TooLargeError('The body', limits.maxExpandedBytes);
  return sent;
}

function encodingOf(request: IncomingMessage): string {
  const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '') return 'identity';
  return encoding === 'x-gzip' ? 'gzip' : encoding;
}

function readSent(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (error: Error) => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      // What is still on its way is thrown away, so that the answer can be read.
      request.resume();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) stop(new TooLargeError('The body', maxBytes));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      request.off('data', onData).off('error', onCut).off('close', onCut);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    };
    const onCut = () => stop(new MalformedBodyError('The body ended before it was complete.'));
    request.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut);
  });
}

async function inflate(sent: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await gunzipAsync(sent, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeExpanded(maxBytes);
    throw new MalformedBodyError('The body is no valid gzip.');
  }
}

async function unsnap(sent: Buffer, maxBytes: number): Promise<Buffer> {
  let length: number;
  try {
    length = snappyUncompressedLength(sent);
  } catch (error) {
    throw parserError(error);
  }
  if (length > maxBytes) throw tooLargeExpanded(maxBytes);
  try {
    return (await snappy.uncompress(sent, { asBuffer: true })) as Buffer;
  } catch {
    throw new MalformedBodyError('The body is no valid snappy block.');
  }
}

function tooLargeExpanded(maxBytes: number): TooLargeError {
  return new TooLargeError('The decompressed body', maxBytes);
}
