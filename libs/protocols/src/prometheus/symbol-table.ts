/** Strings of a remote write 2.0 body, which all other parts reference by number. Each is decoded on first use. */
export class SymbolTable {
  private starts = new Uint32Array(FIRST_CAPACITY);
  private ends = new Uint32Array(FIRST_CAPACITY);
  private readonly decoded: (string | undefined)[] = [];
  private length = 0;
  private key = Buffer.alloc(FIRST_KEY_CAPACITY);

  constructor(private readonly bytes: Buffer) {}

  get size(): number {
    return this.length;
  }

  add(start: number, end: number): void {
    if (this.length === this.starts.length) this.grow();
    this.starts[this.length] = start;
    this.ends[this.length++] = end;
  }

  /** @param symbol a number below `size` */
  text(symbol: number): string {
    return (this.decoded[symbol] ??= this.bytes.toString('utf8', this.starts[symbol], this.ends[symbol]));
  }

  /**
   * A unique text for some symbols, the same in every body: their bytes, each after its length. Null if they are longer
   * than the labels of any series: a number of one byte may refer to a symbol of megabytes, and creating the text would
   * cost far more than the length of the body.
   *
   * @param symbols the first `count` are used; all below `size`
   */
  keyOf(symbols: Uint32Array, count: number): string | null {
    const { bytes } = this;
    let length = 0;
    for (let i = 0; i < count; i++) {
      const start = this.starts[symbols[i]!]!;
      const end = this.ends[symbols[i]!]!;
      if (length + 2 + end - start > MAX_KEY_BYTES) return null;
      if (length + 2 + end - start > this.key.length) this.growKey(length + 2 + end - start);
      const { key } = this;
      key[length++] = (end - start) >> 8;
      key[length++] = (end - start) & 0xff;
      // Symbols are short: copying byte by byte is faster than creating a view.
      for (let at = start; at < end; at++) key[length++] = bytes[at]!;
    }
    return this.key.toString('latin1', 0, length);
  }

  private grow(): void {
    const starts = new Uint32Array(this.length * 2);
    const ends = new Uint32Array(this.length * 2);
    starts.set(this.starts);
    ends.set(this.ends);
    this.starts = starts;
    this.ends = ends;
  }

  private growKey(needed: number): void {
    const key = Buffer.alloc(Math.max(needed, this.key.length * 2));
    this.key.copy(key);
    this.key = key;
  }
}

const FIRST_CAPACITY = 256;
const FIRST_KEY_CAPACITY = 1024;
/** Two bytes contain the length of a symbol; the name of a series has 1024 characters. */
const MAX_KEY_BYTES = 0x4000;
