/** Writes protobuf fields in the order in which they are given. Tags are `number << 3 | wireType`. */
export class ProtobufWriter {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;

  /** A non-negative number of type int64 or uint64, up to 2^53. */
  varint(tag: number, value: number): this {
    return this.add(varintOf(tag)).add(varintOf(value));
  }

  double(tag: number, value: number): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    return this.add(varintOf(tag)).add(bytes);
  }

  text(tag: number, text: string): this {
    return this.block(tag, Buffer.from(text));
  }

  message(tag: number, message: ProtobufWriter): this {
    this.add(varintOf(tag)).add(varintOf(message.length));
    for (const chunk of message.chunks) this.add(chunk);
    return this;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.chunks, this.length);
  }

  private block(tag: number, bytes: Uint8Array): this {
    return this.add(varintOf(tag)).add(varintOf(bytes.length)).add(bytes);
  }

  private add(bytes: Uint8Array): this {
    this.chunks.push(bytes);
    this.length += bytes.length;
    return this;
  }
}

function varintOf(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  while (left >= 0x80) {
    bytes.push((left % 0x80) + 0x80);
    left = Math.floor(left / 0x80);
  }
  bytes.push(left);
  return Uint8Array.from(bytes);
}
