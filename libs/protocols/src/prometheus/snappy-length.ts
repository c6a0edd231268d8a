import { MalformedBodyError } from '../batch/errors.js';

/**
 * Uncompressed length that a snappy block announces in its first bytes, so that a body that would expand too far is
 * refused before memory is allocated for it. The decompressor refuses blocks whose content does not have this length.
 * Source: https://github.com/google/snappy/blob/main/format_description.txt, section 1 (varint, at most 2^32 - 1).
 */
export function snappyUncompressedLength(bytes: Uint8Array): number {
  let length = 0;
  for (let i = 0; i < 5; i++) {
    const byte = bytes[i];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) {
      if (length > 0xffff_ffff) break;
      return length;
    }
  }
  throw new MalformedBodyError('the body is not a snappy block: its length is not readable', { offset: 0 });
}
