import { dateOf } from '../time.js';
import { SecretKey } from './secret-key.js';

export interface RingKey {
  key: SecretKey;
  /**
   * Unix seconds from which it is the current one; null = from the beginning. Before that, it only opens copies that
   * other processes sealed.
   */
  usedFrom: number | null;
}

/**
 * The secret keys of an installation: the current one, and earlier ones, with which data may still be sealed or hashed.
 * Immutable.
 */
export class KeyRing {
  /** Newest first. */
  readonly keys: readonly RingKey[];

  /** @param keys newest first, at least one; a duplicate key counts once */
  constructor(keys: readonly RingKey[]) {
    this.keys = keys.filter(({ key }, at) => keys.findIndex((other) => other.key.id === key.id) === at);
    if (this.keys.length === 0) throw new Error('A key ring needs a key.');
  }

  static of(current: SecretKey, previous: readonly SecretKey[] = []): KeyRing {
    return new KeyRing([current, ...previous].map((key) => ({ key, usedFrom: null })));
  }

  /**
   * Parses a key file: a key per line, newest first, each with the time from which it is used, unless that is the
   * beginning. `origin` appears in the error.
   * @throws InvalidSecretKeyError
   */
  static parse(text: string, origin: string): KeyRing {
    const lines = text.split('\n').map((line) => line.trim());
    const keys = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line): RingKey => {
        const [keyText, from] = line.split(/\s+/, 2);
        const usedFrom = from === undefined ? null : Date.parse(from) / 1000;
        return { key: SecretKey.parse(Number.isNaN(usedFrom) ? line : keyText!, origin), usedFrom };
      });
    return keys.length === 0 ? KeyRing.of(SecretKey.parse('', origin)) : new KeyRing(keys);
  }

  /** The key for new data. `now` in Unix seconds. */
  currentAt(now: number): SecretKey {
    const used = this.keys.find(({ usedFrom }) => usedFrom === null || usedFrom <= now);
    return (used ?? this.keys.at(-1)!).key;
  }

  /** All keys, the current one first. */
  allAt(now: number): SecretKey[] {
    const current = this.currentAt(now);
    return [current, ...this.keys.map(({ key }) => key).filter((key) => key !== current)];
  }

  find(id: string): SecretKey | undefined {
    return this.keys.find(({ key }) => key.id === id)?.key;
  }

  /** Adds a newer key, which is used from a time on. */
  with(key: SecretKey, usedFrom: number): KeyRing {
    return new KeyRing([{ key, usedFrom }, ...this.keys]);
  }

  /** Only the current key. */
  onlyCurrentAt(now: number): KeyRing {
    const current = this.currentAt(now);
    return new KeyRing(this.keys.filter(({ key }) => key === current));
  }

  /** In the format of `parse`. For the key file only. */
  exportText(): string {
    return this.keys
      .map(({ key, usedFrom }) => {
        const from = usedFrom === null ? '' : ` ${dateOf(usedFrom).toISOString()}`;
        return `${key.exportText()}${from}\n`;
      })
      .join('');
  }
}
