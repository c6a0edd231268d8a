import fc from 'fast-check';
import { KeyRing } from './key-ring.js';
import { SecretKey } from './secret-key.js';
import { equalInConstantTime, keyIdOf, masked, Secrets, UnreadableSecretError } from './secrets.js';

const secrets = new Secrets(SecretKey.generate());

describe('keyedHash', () => {
  it('is stable for a purpose, and differs between purposes and texts', () => {
    expect(secrets.keyedHash('token', 'pl_a')).toEqual(secrets.keyedHash('token', 'pl_a'));
    expect(secrets.keyedHash('token', 'pl_a')).not.toEqual(secrets.keyedHash('session', 'pl_a'));
    expect(secrets.keyedHash('token', 'pl_a')).not.toEqual(secrets.keyedHash('token', 'pl_b'));
    expect(secrets.keyedHash('token', 'pl_a')).toHaveLength(32);
  });

  it('differs between keys', () => {
    const other = new Secrets(SecretKey.generate());
    expect(other.keyedHash('token', 'pl_a')).not.toEqual(secrets.keyedHash('token', 'pl_a'));
  });
});

describe('KeyRing', () => {
  const [old, fresh] = [SecretKey.generate(), SecretKey.generate()];
  const before = new Secrets(old);
  let now = 100;
  const secrets = new Secrets(KeyRing.of(old).with(fresh, 200), () => now);
  beforeEach(() => (now = 100));

  it('uses a key from its start time', () => {
    expect(secrets.keyedHash('token', 'a')).toEqual(before.keyedHash('token', 'a'));
    expect(keyIdOf(secrets.seal('copy', 'row', 'text'))).toBe(old.id);
    now = 200;
    expect(secrets.keyedHash('token', 'a')).toEqual(new Secrets(fresh).keyedHash('token', 'a'));
    expect(keyIdOf(secrets.seal('copy', 'row', 'text'))).toBe(fresh.id);
  });

  it('opens copies sealed under any key, even before its start time', () => {
    expect(secrets.open('copy', 'row', before.seal('copy', 'row', 'text'))).toBe('text');
    expect(secrets.open('copy', 'row', new Secrets(fresh).seal('copy', 'row', 'text'))).toBe('text');
  });

  it('returns the hashes under all keys, the current key first', () => {
    const hashes = [new Secrets(old), new Secrets(fresh)].map((one) => one.keyedHash('token', 'a'));
    expect(secrets.keyedHashes('token', 'a')).toEqual(hashes);
    now = 200;
    expect(secrets.keyedHashes('token', 'a')).toEqual(hashes.reverse());
  });

  it('can be reduced to the current key', () => {
    now = 200;
    const ring = secrets.ring.onlyCurrentAt(now);
    expect(ring.keys.map(({ key }) => key.id)).toEqual([fresh.id]);
  });
});

describe('seal and open', () => {
  it('return every text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, boundTo) => {
        expect(secrets.open('copy', boundTo, secrets.seal('copy', boundTo, text))).toBe(text);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('produce different copies of the same text', () => {
    expect(secrets.seal('copy', 'row', 'text')).not.toBe(secrets.seal('copy', 'row', 'text'));
  });

  it('throw for another row, purpose or key', () => {
    const sealed = secrets.seal('copy', 'org/1/token', 'text');
    expect(() => secrets.open('copy', 'org/2/token', sealed)).toThrow(UnreadableSecretError);
    expect(() => secrets.open('other', 'org/1/token', sealed)).toThrow(UnreadableSecretError);
    const other = new Secrets(SecretKey.generate());
    expect(() => other.open('copy', 'org/1/token', sealed)).toThrow(/it needs the key [0-9a-f]{8}, this process has/);
  });

  it('throw after a change of any one character', () => {
    const sealed = secrets.seal('copy', 'row', 'text');
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      if (decodes(changed) === decodes(sealed)) continue; // spare bits of the last base64 character
      expect(() => secrets.open('copy', 'row', changed)).toThrow(UnreadableSecretError);
    }
  });

  it.each(['', 'text', 'v1', 'v1.a.b', 'v2.a.b.c', 'v1.a.b.c.d', 'v1.00000000..'])('throw for %j', (text) => {
    expect(() => secrets.open('copy', 'row', text)).toThrow(UnreadableSecretError);
  });
});

/** A sealed copy with its base64 parts decoded, for comparison. */
function decodes(sealed: string): string {
  return sealed
    .split('.')
    .map((part, index) => (index < 2 ? part : Buffer.from(part, 'base64url').toString('hex')))
    .join('.');
}

describe('equalInConstantTime', () => {
  it('compares texts of any length', () => {
    expect(equalInConstantTime('abc', 'abc')).toBe(true);
    expect(equalInConstantTime('abc', 'abd')).toBe(false);
    expect(equalInConstantTime('abc', 'abcd')).toBe(false);
    expect(equalInConstantTime('', '')).toBe(true);
  });
});

describe('masked', () => {
  it('shows only the last four characters', () => {
    expect(masked('pl_0123456789abcdef')).toBe('************cdef');
  });
});
