import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { KeyRing } from './key-ring.js';
import { SecretKey } from './secret-key.js';

const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed copy that cannot be opened: sealed under another key, for another row, or damaged. */
export class UnreadableSecretError extends Error {
  constructor(reason: string) {
    super(`The stored secret cannot be opened: ${reason}.`);
    this.name = new.target.name;
  }
}

/**
 * Hashes and seals with the secret of the installation. Purposes are names of the area that uses them, such as `token`.
 * A column of sealed copies must be listed in keys/sealed-columns.ts, so that it is sealed again after a key rotation.
 */
export class Secrets {
  #ring: KeyRing;

  /** @param now Unix seconds: a key of the ring may start later */
  constructor(
    keys: SecretKey | KeyRing,
    private readonly now: () => number = () => Date.now() / 1000,
  ) {
    this.#ring = keys instanceof SecretKey ? KeyRing.of(keys) : keys;
  }

  get ring(): KeyRing {
    return this.#ring;
  }

  /** Uses these keys from now on. */
  use(ring: KeyRing): void {
    this.#ring = ring;
  }

  /** HMAC-SHA256, 32 bytes: how session ids and tokens are stored. To look one up, use `keyedHashes`. */
  keyedHash(purpose: string, text: string): Buffer {
    return hashUnder(this.#ring.currentAt(this.now()), purpose, text);
  }

  /**
   * The hashes under which a text may be stored: the one of `keyedHash` first, then those of earlier keys. A lookup by
   * hash tries all of them, so that a new key ends no session.
   */
  keyedHashes(purpose: string, text: string): readonly [Buffer, ...Buffer[]] {
    const [current, ...others] = this.#ring.allAt(this.now());
    return [hashUnder(current!, purpose, text), ...others.map((key) => hashUnder(key, purpose, text))];
  }

  /**
   * An encrypted copy as text, AES-256-GCM. `boundTo` names the row it belongs to (such as `org/12/token`): a copy that
   * is moved to another row does not open. Sealing the same text twice gives different copies.
   */
  seal(purpose: string, boundTo: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const key = this.#ring.currentAt(this.now());
    const cipher = createCipheriv('aes-256-gcm', key.subKey(`seal/${purpose}`), nonce);
    cipher.setAAD(Buffer.from(boundTo, 'utf8'));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [FORMAT, key.id, nonce.toString('base64url'), body.toString('base64url')].join('.');
  }

  /** The text of a copy made by `seal` with the same purpose and `boundTo`. Throws UnreadableSecretError. */
  open(purpose: string, boundTo: string, sealed: string): string {
    const [format, keyId, nonceText, bodyText, ...rest] = sealed.split('.');
    if (
      format !== FORMAT ||
      keyId === undefined ||
      nonceText === undefined ||
      bodyText === undefined ||
      rest.length > 0
    ) {
      throw new UnreadableSecretError('unknown form');
    }
    const key = this.#ring.find(keyId);
    if (!key) {
      const known = this.#ring.keys.map((one) => one.key.id).join(', ');
      throw new UnreadableSecretError(`it needs the key ${keyId}, this process has ${known}`);
    }
    const nonce = Buffer.from(nonceText, 'base64url');
    const body = Buffer.from(bodyText, 'base64url');
    if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) throw new UnreadableSecretError('unknown form');
    const decipher = createDecipheriv('aes-256-gcm', key.subKey(`seal/${purpose}`), nonce);
    decipher.setAAD(Buffer.from(boundTo, 'utf8'));
    decipher.setAuthTag(body.subarray(body.length - TAG_BYTES));
    try {
      return decipher.update(body.subarray(0, body.length - TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new UnreadableSecretError('it is corrupt or belongs to another row');
    }
  }

  /** Like `open`, but null for a copy that cannot be opened, where showing the rest of a row matters more. */
  tryOpen(purpose: string, boundTo: string, sealed: string): string | null {
    try {
      return this.open(purpose, boundTo, sealed);
    } catch (error) {
      if (error instanceof UnreadableSecretError) return null;
      throw error;
    }
  }
}

function hashUnder(key: SecretKey, purpose: string, text: string): Buffer {
  return createHmac('sha256', key.subKey(`hash/${purpose}`))
    .update(text, 'utf8')
    .digest();
}

/** Id of the key that a sealed copy needs. */
export function keyIdOf(sealed: string): string | undefined {
  return sealed.split('.', 2)[1];
}

/** Whether two texts are equal, in a time that depends on neither where they differ nor on their lengths. */
export function equalInConstantTime(left: string, right: string): boolean {
  // Comparing digests under a temporary key makes both sides equally long.
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text, 'utf8').digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** How a secret is shown to people who may not see it: twelve asterisks and its last four characters. */
export function masked(secret: string): string {
  return `************${secret.slice(-4)}`;
}

const MASKED = /^\*{12}.{0,4}$/;

/** Whether a text is the mask that answers show instead of a secret: if it is sent back, the secret stays unchanged. */
export const isMasked = (text: string): boolean => MASKED.test(text);
