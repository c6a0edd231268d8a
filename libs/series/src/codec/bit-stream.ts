/** Maximum number of bits that an unsigned bitwise operation can use. */
const LOW_BITS = 24;
const LOW_RANGE = 2 ** LOW_BITS;

/** Appends whole numbers of any width up to 53 bits to a growing array of bytes, lowest bit first. */
export class BitWriter {
  private bytes: Uint8Array<ArrayBuffer>;
  private length = 0;
  /** Bits of an incomplete byte; fewer than eight between two calls. */
  private pending = 0;
  private pendingBits = 0;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Discards the written data but keeps the memory. */
  reset(): void {
    this.length = 0;
    this.pending = 0;
    this.pendingBits = 0;
  }

  /** `value` is whole and within [0, 2^width). */
  write(value: number, width: number): void {
    if (width <= LOW_BITS) {
      this.writeSmall(value, width);
      return;
    }
    const high = Math.floor(value / LOW_RANGE);
    this.writeSmall(value - high * LOW_RANGE, LOW_BITS);
    this.write(high, width - LOW_BITS);
  }

  /** Whole numbers up to 2^53 in as many groups of seven bits as they need. */
  writeVarint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      const next = Math.floor(rest / 128);
      this.writeSmall(rest - next * 128 + 128, 8);
      rest = next;
    }
    this.writeSmall(rest, 8);
  }

  /** Number of whole bytes for the written data. */
  get byteLength(): number {
    return this.length + (this.pendingBits > 0 ? 1 : 0);
  }

  /** A copy of everything written. */
  finish(): Uint8Array<ArrayBuffer> {
    const result = this.bytes.slice(0, this.byteLength);
    if (this.pendingBits > 0) result[this.length] = this.pending;
    return result;
  }

  private writeSmall(value: number, width: number): void {
    let pending = this.pending | (value << this.pendingBits);
    let bits = this.pendingBits + width;
    if (this.length + 4 >= this.bytes.length) this.grow();
    const { bytes } = this;
    while (bits >= 8) {
      bytes[this.length++] = pending & 255;
      pending >>>= 8;
      bits -= 8;
    }
    this.pending = pending;
    this.pendingBits = bits;
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Reads the data of a BitWriter. Reading past the end throws RangeError. */
export class BitReader {
  private position = 0;
  private pending = 0;
  private pendingBits = 0;

  constructor(private readonly bytes: Uint8Array) {}

  read(width: number): number {
    if (width <= LOW_BITS) return this.readSmall(width);
    const low = this.readSmall(LOW_BITS);
    return low + this.read(width - LOW_BITS) * LOW_RANGE;
  }

  readVarint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.readSmall(8);
      if (byte < 128) return value + byte * scale;
      value += (byte - 128) * scale;
    }
  }

  /** Counts ones up to the next zero, which is consumed too, or up to `most` (≤ 24) ones. */
  readUnary(most: number): number {
    const { bytes } = this;
    // As many bits as are available, up to the required number: the last bytes of a block may have fewer.
    while (this.pendingBits <= most && this.position < bytes.length) {
      this.pending |= bytes[this.position++]! << this.pendingBits;
      this.pendingBits += 8;
    }
    const inverted = ~this.pending;
    const ones = 31 - Math.clz32(inverted & -inverted);
    const used = ones < most ? ones + 1 : most;
    if (used > this.pendingBits) throw new RangeError('A block of points ends too early');
    this.pending >>>= used;
    this.pendingBits -= used;
    return ones < most ? ones : most;
  }

  private readSmall(width: number): number {
    const { bytes } = this;
    while (this.pendingBits < width) {
      if (this.position >= bytes.length) throw new RangeError('A block of points ends too early');
      this.pending |= bytes[this.position++]! << this.pendingBits;
      this.pendingBits += 8;
    }
    const value = this.pending & ((1 << width) - 1);
    this.pending >>>= width;
    this.pendingBits -= width;
    return value;
  }
}
