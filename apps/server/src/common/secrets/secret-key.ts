import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

const KEY_BYTES = 32;

/** The text is not 32 bytes in base64, base64url or hexadecimal. The message names its source, never its content. */
export class InvalidSecretKeyError extends Error {
  constructor(origin: string) {
    super(
      `${origin} must contain ${String(KEY_BYTES)} bytes as base64 or hexadecimal, for example from "openssl rand -base64 32".`,
    );
    this.name = new.target.name;
  }
}

/**
 * The secret of an installation. It is never used directly: every purpose has a separate key, derived by HKDF-SHA256,
 * so that a leak of one reveals nothing about another.
 */
export class SecretKey {
  /** Public name of the key: distinguishes a copy sealed under another key from a damaged one. */
  readonly id: string;
  readonly #bytes: Buffer;
  readonly #subKeys = new Map<string, Buffer>();

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.id = createHash('sha256').update(this.subKey('key id')).digest('hex').slice(0, 8);
  }

  /** Reads base64 (either alphabet, padding optional) or hexadecimal. `origin` is named in the error. */
  static parse(text: string, origin: string): SecretKey {
    const trimmed = text.trim();
    const bytes = /^[0-9a-f]{64}$/i.test(trimmed)
      ? Buffer.from(trimmed, 'hex')
      : /^[\w+/-]{43}=?$/.test(trimmed)
        ? Buffer.from(trimmed, 'base64')
        : undefined;
    if (bytes?.length !== KEY_BYTES) throw new InvalidSecretKeyError(origin);
    return new SecretKey(bytes);
  }

  static generate(): SecretKey {
    return new SecretKey(randomBytes(KEY_BYTES));
  }

  /** The key of one purpose, 32 bytes. The same purpose always gives the same key. */
  subKey(purpose: string): Buffer {
    const known = this.#subKeys.get(purpose);
    if (known) return known;
    const derived = Buffer.from(hkdfSync('sha256', this.#bytes, 'plumbline', `plumbline/1/${purpose}`, KEY_BYTES));
    this.#subKeys.set(purpose, derived);
    return derived;
  }

  /** Proves the identity of the key without revealing it, for which `id` is too short. 32 bytes. */
  checkValue(): Buffer {
    return createHash('sha256').update(this.subKey('key check')).digest();
  }

  /** Base64, in the format of `parse`. For the key file only. */
  exportText(): string {
    return this.#bytes.toString('base64');
  }

  toJSON(): string {
    return `SecretKey ${this.id}`;
  }

  [inspect.custom](): string {
    return this.toJSON();
  }
}
