import { compressSync } from 'snappy';
import { MalformedBodyError } from '../batch/errors.js';
import { snappyUncompressedLength } from './snappy-length.js';

describe('snappyUncompressedLength', () => {
  it.each([0, 1, 127, 128, 16_383, 16_384, 1_000_000])('returns the length of a block of %i bytes', (length) => {
    expect(snappyUncompressedLength(compressSync(Buffer.alloc(length, 7)))).toBe(length);
  });

  it('returns the largest possible length', () => {
    expect(snappyUncompressedLength(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f))).toBe(0xffff_ffff);
  });

  it.each([
    [[]],
    [[0x80]],
    [[0xff, 0xff, 0xff, 0xff]],
    [[0xff, 0xff, 0xff, 0xff, 0x10]],
    [[0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
  ])('rejects %j', (bytes) => {
    expect(() => snappyUncompressedLength(Uint8Array.from(bytes))).toThrow(MalformedBodyError);
  });
});
