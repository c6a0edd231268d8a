import { MalformedBodyError } from '../batch/errors.js';

/** Wire types of protobuf that are still in use. Source: https://protobuf.dev/programming-guides/encoding/ */
export const Wire = { Varint: 0, Fixed64: 1, Bytes: 2, Fixed32: 5 } as const;

/**
 * Reads protobuf fields from a byte array without copying. One reader reads nested messages too: their bounds are
 * numbers, so no object is created per message. Every read checks its bounds and throws MalformedBodyError with the
 * offset.
 */
export class ProtobufReader {
  private readonly view: DataView;
  /** Next byte to read. */
  position = 0;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Field number and wire type as on the wire: `number << 3 | wireType`. */
  tag(end: number): number {
    const at = this.position;
    const tag = this.varint(end);
    if (tag < 8 || tag > 0xffff_ffff)
      throw new MalformedBodyError('protobuf field number is not valid', { offset: at });
    return tag;
  }

  /** An unsigned varint as a number; above 2^53 its lowest bits are lost. */
  varint(end: number): number {
    const { bytes } = this;
    let value = 0;
    let scale = 1;
    for (let length = 0; length < 10; length++) {
      const at = this.position++;
      if (at >= end) throw this.cut();
      const byte = bytes[at]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new MalformedBodyError('protobuf varint is longer than ten bytes', { offset: this.position });
  }

  /** A varint of type int64. */
  int64(end: number): number {
    const start = this.position;
    const value = this.varint(end);
    if (this.position - start < 10) return value;
    // Ten bytes: the sign bit is set. Two's complement is computed exactly from the low 63 bits.
    let magnitude = 0n;
    for (let i = this.position - 1; i >= start; i--) magnitude = (magnitude << 7n) | BigInt(this.bytes[i]! & 0x7f);
    return Number(BigInt.asIntN(64, magnitude));
  }

  /** A varint of type sint32 or sint64 (zigzag); exact up to 2^53. */
  signedVarint(end: number): number {
    const value = this.varint(end);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Eight little-endian bytes of type fixed64; above 2^53 the lowest bits are lost. */
  fixed64(end: number): number {
    const at = this.skipFixed(8, end);
    return this.view.getUint32(at + 4, true) * 2 ** 32 + this.view.getUint32(at, true);
  }

  /** Eight little-endian bytes of type sfixed64. */
  signedFixed64(end: number): number {
    const at = this.skipFixed(8, end);
    return this.view.getInt32(at + 4, true) * 2 ** 32 + this.view.getUint32(at, true);
  }

  double(end: number): number {
    const at = this.skipFixed(8, end);
    return this.view.getFloat64(at, true);
  }

  /** The two halves of eight little-endian bytes, for bit patterns that a number does not preserve (NaN payloads). */
  isBitPattern(at: number, high: number, low: number): boolean {
    return this.view.getUint32(at, true) === low && this.view.getUint32(at + 4, true) === high;
  }

  /** Reads the length of a message, text or bytes field and returns its end. */
  lengthDelimitedEnd(end: number): number {
    const length = this.varint(end);
    if (length > end - this.position) throw this.cut();
    return this.position + length;
  }

  /** Skips the value of an unused field. */
  skip(tag: number, end: number): void {
    const wireType = tag & 7;
    if (wireType === Wire.Varint) this.varint(end);
    else if (wireType === Wire.Fixed64) this.skipFixed(8, end);
    else if (wireType === Wire.Bytes) this.position = this.lengthDelimitedEnd(end);
    else if (wireType === Wire.Fixed32) this.skipFixed(4, end);
    else throw new MalformedBodyError(`protobuf wire type ${wireType} is not known`, { offset: this.position });
  }

  /** Skips the rest of a message, which must still be well-formed. */
  skipAll(end: number): void {
    while (this.position < end) this.skip(this.tag(end), end);
  }

  private skipFixed(length: number, end: number): number {
    const at = this.position;
    if (length > end - at) throw this.cut();
    this.position = at + length;
    return at;
  }

  private cut(): MalformedBodyError {
    return new MalformedBodyError('protobuf message ends in the middle of a field', { offset: this.position });
  }
}
