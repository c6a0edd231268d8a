/** The first place at which bytes stop being JSON. */
export interface JsonErrorPlace {
  /** Bytes from the start, from 0. */
  offset: number;
  problem: string;
  /** The bytes from the offset on are not the inside of a text, which may be a secret without its beginning. */
  isQuotable: boolean;
}

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Finds the position at which JSON.parse fails: its own messages differ between versions, quote the body, and often
 * lack the position. Walks the grammar of RFC 8259 with an explicit stack, so nesting cannot exhaust the call stack.
 * Only called on failure. O(body).
 */
export function locateJsonError(bytes: Uint8Array): JsonErrorPlace {
  const walker = new JsonWalker(bytes);
  const problem = walker.walk();
  const offset = Math.min(walker.position, bytes.length);
  return { offset, problem, isQuotable: !walker.isInText && offset < bytes.length };
}

class JsonWalker {
  position: number;
  isInText = false;
  private readonly open: number[] = [];

  constructor(private readonly bytes: Uint8Array) {
    // A byte order mark is tolerated, as by the decoder.
    this.position = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  }

  /** Stops with `position` at the problem and returns what was expected there. */
  walk(): string {
    for (;;) {
      const problem = this.value();
      if (problem !== null) return problem;
      const end = this.afterValue();
      if (end !== null) return end;
    }
  }

  /** Reads one value, or the opening of one that is not empty. */
  private value(): string | null {
    for (;;) {
      const byte = this.next();
      if (byte === OPEN_OBJECT) {
        this.position++;
        if (this.next() === CLOSE_OBJECT) return this.step();
        this.open.push(OPEN_OBJECT);
        const problem = this.key();
        if (problem !== null) return problem;
      } else if (byte === OPEN_LIST) {
        this.position++;
        if (this.next() === CLOSE_LIST) return this.step();
        this.open.push(OPEN_LIST);
      } else if (byte === QUOTE) {
        return this.text();
      } else {
        return this.literal();
      }
    }
  }

  /** Closes containers and moves to the next member. Null if another value follows. */
  private afterValue(): string | null {
    for (;;) {
      const byte = this.next();
      const container = this.open.at(-1);
      if (container === undefined) return byte === undefined ? 'not readable' : 'nothing may follow the value';
      if (byte === undefined) return 'it ends in the middle';
      if (byte === COMMA) {
        this.position++;
        return container === OPEN_OBJECT ? this.key() : null;
      }
      if (byte !== (container === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST)) {
        return container === OPEN_OBJECT ? 'expected , or }' : 'expected , or ]';
      }
      this.open.pop();
      this.position++;
    }
  }

  private key(): string | null {
    if (this.next() !== QUOTE) return 'expected a member name in double quotes';
    const problem = this.text();
    if (problem !== null) return problem;
    if (this.next() !== COLON) return 'expected :';
    return this.step();
  }

  private text(): string | null {
    const { bytes } = this;
    this.position++;
    this.isInText = true;
    for (;;) {
      const byte = bytes[this.position];
      if (byte === undefined) return 'a string is not closed';
      if (byte < 0x20) return 'a control character in a string must be escaped';
      this.position++;
      if (byte === QUOTE) {
        this.isInText = false;
        return null;
      }
      if (byte !== BACKSLASH) continue;
      const escaped = String.fromCharCode(bytes[this.position] ?? 0);
      if (escaped === 'u') {
        for (let digit = 1; digit <= 4; digit++) {
          if (!/[0-9a-fA-F]/.test(String.fromCharCode(bytes[this.position + digit] ?? 0))) return 'bad \\u escape';
        }
        this.position += 5;
      } else if ('"\\/bfnrt'.includes(escaped)) {
        this.position++;
      } else {
        return 'bad escape in a string';
      }
    }
  }

  private literal(): string | null {
    const { bytes } = this;
    let end = this.position;
    while (end < bytes.length && /[A-Za-z0-9+\-.]/.test(String.fromCharCode(bytes[end]!))) end++;
    if (end === this.position) return end >= bytes.length ? 'it ends where a value should be' : 'expected a value';
    const literal = String.fromCharCode(...bytes.subarray(this.position, Math.min(end, this.position + MAX_LITERAL)));
    const isLiteral = literal === 'true' || literal === 'false' || literal === 'null';
    if (!isLiteral && !(end - this.position > MAX_LITERAL || NUMBER.test(literal))) return 'expected a value';
    this.position = end;
    return null;
  }

  private step(): null {
    this.position++;
    return null;
  }

  /** The next non-blank byte, without consuming it. */
  private next(): number | undefined {
    const { bytes } = this;
    let byte = bytes[this.position];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++this.position];
    return byte;
  }
}

/** Maximum number of checked digits; longer ones count as numbers. */
const MAX_LITERAL = 400;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
