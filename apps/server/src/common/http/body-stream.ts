import { type IncomingMessage } from 'node:http';
import { type ByteShare } from '../fair-share/byte-budget.js';
import { BodyCutError, TooLargeError } from './http.errors.js';

/** Time limits for a sender, in seconds. */
export interface BodyTimeouts {
  /** Without a byte. */
  idleSeconds: number;
  /** For the whole body. */
  wholeSeconds: number;
}

export interface BodyReading {
  /** Maximum size of the body as sent, in bytes. */
  maxBytes: number;
  /** Every byte is reserved in it. */
  share: ByteShare;
  timeouts: BodyTimeouts;
  /** The error to throw when the budget of `share` is used up. */
  full: () => Error;
  /** Reading pauses after this many bytes; default: never. */
  pauseAtBytes?: number;
  /** The part of the body that was read before a pause; the budget already counts it. */
  start?: Buffer;
}

/** Bytes of a body as sent: from its beginning to a pause, or all. */
export interface SentBytes {
  bytes: Buffer;
  isWhole: boolean;
}

/** For this time a refused body may continue to arrive, so that its sender can read the answer. */
const DRAIN_SECONDS = 10;

/**
 * The bytes of a body. Reading stops at the limits; a sender that stalls loses its connection.
 * @throws TooLargeError, BodyCutError, and the error of `full`
 */
export function readSent(
  request: IncomingMessage,
  { maxBytes, share, timeouts, full, pauseAtBytes = Infinity, start }: BodyReading,
): Promise<SentBytes> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = start ? [start] : [];
    let length = start?.length ?? 0;
    const release = () => {
      clearTimeout(idle);
      clearTimeout(whole);
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
    };
    const bytes = () => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length));
    const stop = (error: Error) => {
      release();
      reject(error);
    };
    const onStall = () => {
      stop(new BodyCutError('stalled', 'The body did not arrive in time.'));
      // An answer would arrive in the middle of an unfinished exchange; every sender retries after a closed connection.
      request.on('error', () => undefined).destroy();
    };
    const onData = (chunk: Buffer) => {
      idle.refresh();
      length += chunk.length;
      if (length > maxBytes) {
        stop(new TooLargeError('The body', maxBytes));
        return;
      }
      if (!share.tryReserve(chunk.length)) {
        stop(full());
        return;
      }
      chunks.push(chunk);
      if (length < pauseAtBytes) return;
      release();
      request.pause();
      resolve({ bytes: bytes(), isWhole: false });
    };
    const onEnd = () => {
      release();
      resolve({ bytes: bytes(), isWhole: true });
    };
    const onCut = () => stop(new BodyCutError('cut', 'The body ended before it was complete.'));
    const idle = setTimeout(onStall, timeouts.idleSeconds * 1000);
    const whole = setTimeout(onStall, timeouts.wholeSeconds * 1000);
    if (request.destroyed) {
      onCut();
      return;
    }
    request.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut);
    request.resume();
  });
}

/** Discards the rest of a refused body for a while: a sender that is still sending reads no answer. */
export function drain(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DRAIN_SECONDS * 1000);
  timer.unref();
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  // The end of the rest does not matter.
  request.on('error', () => undefined);
  request.resume();
}
