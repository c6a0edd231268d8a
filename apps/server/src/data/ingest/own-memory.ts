import { setImmediate as nextRound } from 'node:timers/promises';

/**
 * Bytes that are copied in one round of the event loop: new memory is mapped page by page, so a megabyte takes long.
 */
const BYTES_PER_ROUND = 256 * 1024;

/**
 * Copies the pieces, one after the other, into separate memory that can move to a thread. Other requests are answered
 * between the pieces.
 */
export async function gather(pieces: readonly Uint8Array[]): Promise<Buffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const memory = new ArrayBuffer(length);
  const gathered = Buffer.from(memory);
  let end = 0;
  let copied = 0;
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += BYTES_PER_ROUND) {
      const part = piece.subarray(start, start + BYTES_PER_ROUND);
      if (copied + part.length > BYTES_PER_ROUND) {
        await nextRound();
        copied = 0;
      }
      gathered.set(part, end);
      end += part.length;
      copied += part.length;
    }
  }
  return gathered;
}

/** True if the memory of the bytes contains nothing else. */
export function hasOwnMemory(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}
