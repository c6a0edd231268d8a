import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type SecretKey } from './secret-key.js';

const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed copy that cannot be opened: made under another key, for another row, or damaged. */
export class UnreadableSecretError extends Error {
  constructor(reason: string) {
    super(`The stored secret cannot be opened: ${reason}.`);
    this.name = new.target.name;
  }
}

/** What areas do with the secret of the installation. Purposes are words of the area that uses them, such as `token`. */
export class Secrets {
  constructor(private readonly key: SecretKey) {}

  /** HMAC-SHA256, 32 bytes: how session ids and tokens are stored and looked up. */
  keyedHash(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.key.subKey(`hash/${purpose}`))
      .update(text, 'utf8')
      .digest();
  }

  /**
   * An encrypted copy as text, AES-256-GCM. `boundTo` names the row it belongs to (such as `org/12/token`): a copy that
   * is moved to another row does not open. Sealing the same text twice gives different copies.
   */
  seal(purpose: string, boundTo: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key.subKey(`seal/${purpose}`), nonce);
    cipher.setAAD(Buffer.from(boundTo, 'utf8'));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [FORMAT, this.key.id, nonce.toString('base64url'), body.toString('base64url')].join('.');
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
    if (keyId !== this.key.id)
      throw new UnreadableSecretError(`it needs the key ${keyId}, this process has ${this.key.id}`);
    const nonce = Buffer.from(nonceText, 'base64url');
    const body = Buffer.from(bodyText, 'base64url');
    if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) throw new UnreadableSecretError('unknown form');
    const decipher = createDecipheriv('aes-256-gcm', this.key.subKey(`seal/${purpose}`), nonce);
    decipher.setAAD(Buffer.from(boundTo, 'utf8'));
    decipher.setAuthTag(body.subarray(body.length - TAG_BYTES));
    try {
      return decipher.update(body.subarray(0, body.length - TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new UnreadableSecretError('it is damaged or belongs to another row');
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

/** Whether two texts are equal, in a time that depends on neither where they differ nor on their lengths. */
export function equalInConstantTime(left: string, right: string): boolean {
  // Comparing digests under a throw-away key makes both sides equally long.
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text, 'utf8').digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** How a secret is shown to people who may not see it: twelve asterisks and its last four characters. */
export function masked(secret: string): string {
  return `************${secret.slice(-4)}`;
}
