import { parseMetricName } from '#libs/protocols';
import { NameCaches } from './name-caches.js';

const MAX_BYTES = 1_000_000;

function remember(names: NameCaches, orgId: number, text: string): void {
  names.of(orgId).spelledAs('json').keep(text, parseMetricName(text));
}

const isKnown = (names: NameCaches, orgId: number, text: string): boolean =>
  names.of(orgId).spelledAs('json').get(text) !== undefined;

describe('NameCaches', () => {
  it('stays within its memory limit', () => {
    const names = new NameCaches(MAX_BYTES);
    for (let i = 0; i < 5000; i++) {
      remember(names, i % 50, `${'x'.repeat(i % 1000)}.${String(i)}`);
      expect(names.bytes).toBeLessThanOrEqual(MAX_BYTES);
    }
    expect(names.bytes).toBeGreaterThan(MAX_BYTES / 4);
  });

  it('keeps the names of an organisation while another one fills the remaining memory with new names', () => {
    let most = 0;
    const names = new NameCaches(MAX_BYTES);
    remember(names, 1, 'web-1.cpu');
    for (let i = 0; i < 10_000; i++) {
      remember(names, 2, `${'y'.repeat(900)}.${String(i)}`);
      expect(names.bytes).toBeLessThanOrEqual(MAX_BYTES);
      most = Math.max(most, names.bytes);
    }
    expect(most).toBeGreaterThan(0.9 * MAX_BYTES);
    expect(names.misses).toBe(10_001);
    expect(isKnown(names, 1, 'web-1.cpu')).toBe(true);
    expect(isKnown(names, 2, 'web-1.cpu')).toBe(false);
  });

  it('evicts the names of the least recently active organisations first', () => {
    const names = new NameCaches(MAX_BYTES);
    for (let org = 1; org <= 12; org++) {
      for (let i = 0; i < 100; i++) remember(names, org, `${'z'.repeat(900)}.${String(i)}`);
      remember(names, org, 'last');
      expect(names.bytes).toBeLessThanOrEqual(MAX_BYTES);
    }
    expect(isKnown(names, 12, 'last')).toBe(true);
    expect(isKnown(names, 1, 'last')).toBe(false);
  });

  it('evicts names that no body has used for two rounds', () => {
    const names = new NameCaches(MAX_BYTES);
    for (const text of ['kept', 'gone']) {
      remember(names, 1, text);
      expect(isKnown(names, 1, text)).toBe(true);
    }
    remember(names, 2, 'once');
    names.forgetUnused();
    expect(isKnown(names, 1, 'kept')).toBe(true);
    names.forgetUnused();
    expect(isKnown(names, 1, 'kept')).toBe(true);
    expect(isKnown(names, 1, 'gone')).toBe(false);
    expect(names.misses).toBe(3);
    names.forgetUnused();
    names.forgetUnused();
    expect(names.bytes).toBe(0);
  });

  it('does not count the bytes of a name cache that was evicted but is still held', () => {
    const names = new NameCaches(MAX_BYTES);
    const held = names.of(1).spelledAs('json');
    held.keep('a', parseMetricName('a'));
    for (let org = 2; org <= 12; org++) {
      for (let i = 0; i < 100; i++) remember(names, org, `${'z'.repeat(900)}.${String(i)}`);
    }
    const { bytes } = names;
    held.keep('b', parseMetricName('b'));
    expect(names.bytes).toBe(bytes);
  });
});
