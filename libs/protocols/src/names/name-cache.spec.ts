import { BatchBuilder } from '../batch/batch-builder.js';
import { parseLimits } from '../batch/limits.js';
import { GenerationCache, type GenerationCacheOptions } from './generation-cache.js';
import { isNameProblem, parseMetricName } from './metric-name.js';
import { CachedName } from './cached-name.js';
import { NameCache } from './name-cache.js';

const NOW = 1_760_000_000;

describe('GenerationCache', () => {
  const MINUTE = 60_000;
  let now = 0;
  const aCache = (options: Omit<GenerationCacheOptions<number>, 'now'>) =>
    new GenerationCache<number>({ ...options, now: () => now });

  it('keeps used entries, drops unused ones, and stays within its limit', () => {
    const dropped: number[] = [];
    const cache = aCache({ maxEntries: 100, onDrop: (value) => dropped.push(value) });
    let taken = 0;
    for (let i = 0; i < 10_000; i++) {
      now += MINUTE / 10;
      if (cache.table('a').set(`k${i}`, i)) taken++;
      expect(cache.table('a').get('k0')).toBe(0);
      expect(cache.size).toBeLessThanOrEqual(100);
    }
    expect(cache.table('a').get('k5000')).toBeUndefined();
    expect(taken).toBeGreaterThan(1000);
    expect(dropped.length + cache.size).toBe(taken);
    expect(dropped).not.toContain(0);
  });

  it('keeps all steadily used entries up to its limit, even with many new ones', () => {
    const cache = aCache({ maxEntries: 1000 });
    const missesOf = (count: number) => {
      let misses = 0;
      for (let i = 0; i < count; i++) {
        if (cache.table('a').get(`k${i}`) !== undefined) continue;
        misses++;
        cache.table('a').set(`k${i}`, i);
      }
      return misses;
    };
    expect([missesOf(900), missesOf(900)]).toEqual([900, 0]);
    for (let minute = 0; minute < 20; minute++) {
      now += MINUTE;
      for (let i = 0; i < 5000; i++) cache.table('a').set(`new${minute}.${i}`, i);
      expect(missesOf(900)).toBe(0);
    }
  });

  it('keeps as many steadily used entries as fit', () => {
    const cache = aCache({ maxEntries: 1000 });
    let found = 0;
    for (let minute = 0; minute < 20; minute++) {
      now += MINUTE;
      found = 0;
      for (let i = 0; i < 1500; i++) {
        if (cache.table('a').get(`k${i}`) === undefined) cache.table('a').set(`k${i}`, i);
        else found++;
      }
    }
    expect(found).toBeGreaterThan(900);
  });

  it('replaces unused names by new ones within minutes', () => {
    const cache = aCache({ maxEntries: 1000 });
    for (let fleet = 0; fleet < 3; fleet++) {
      let found = 0;
      for (let minute = 0; minute < 12; minute++) {
        now += MINUTE;
        found = 0;
        for (let i = 0; i < 800; i++) {
          if (cache.table('a').get(`${fleet}.${i}`) === undefined) cache.table('a').set(`${fleet}.${i}`, i);
          else found++;
        }
      }
      expect(found).toBe(800);
    }
  });

  it('separates tables, and limits them together', () => {
    const cache = aCache({ maxEntries: 10 });
    cache.table(1).set('k', 1);
    cache.table(2).set('k', 2);
    expect([cache.table(1).get('k'), cache.table(2).get('k')]).toEqual([1, 2]);
    for (let i = 0; i < 20; i++) cache.table(3).set(`k${i}`, i);
    expect(cache.table(1).get('k')).toBe(1);
    expect(cache.size).toBeLessThanOrEqual(10);
  });

  it('limits the weight of its entries', () => {
    const changes: number[] = [];
    const cache = aCache({ maxEntries: 1000, maxWeight: 100, weigh: () => 25, onWeight: (by) => changes.push(by) });
    for (let i = 0; i < 20; i++) {
      cache.table('a').set(`k${i}`, i);
      if (i % 3 === 0) cache.table('a').get(`k${i}`);
      expect(cache.size).toBeLessThanOrEqual(4);
      expect(cache.weight).toBe(25 * cache.size);
    }
    expect(changes.reduce((sum, by) => sum + by, 0)).toBe(cache.weight);
    cache.shed();
    cache.shed();
    expect([cache.size, cache.weight]).toEqual([0, 0]);
  });

  it('replaces, deletes and lists entries', () => {
    const cache = aCache({ maxEntries: 4 });
    for (const key of ['a', 'b', 'c']) cache.table('t').set(key, 1);
    cache.table('t').set('a', 2);
    cache.table('t').delete('b');
    expect([...cache.table('t').entries()].sort()).toEqual([
      ['a', 2],
      ['c', 1],
    ]);
    cache.table('t').clear();
    expect(cache.size).toBe(0);
  });
});

describe('NameCache', () => {
  it('returns the same name for the same key within one spelling', () => {
    const names = new NameCache();
    const kept = names.spelledAs('json').keep('raw', parseMetricName('a{b="c"}'));
    expect(kept).toBeInstanceOf(CachedName);
    expect(kept).toMatchObject({ name: 'a{b="c"}', displayName: 'a', labels: { b: 'c' } });
    expect(names.spelledAs('json').get('raw')).toBe(kept);
    expect(names.spelledAs('csv').get('raw')).toBeUndefined();
    expect(names.size).toBe(1);
  });

  it('caches invalid names', () => {
    const names = new NameCache().spelledAs('csv');
    names.keep('', parseMetricName(''));
    expect(names.get('')).toMatchObject({ reason: 'bad_name' });
  });

  it('stays within its byte limit with long names', () => {
    const names = new NameCache({ maxBytes: 100_000 });
    for (let i = 0; i < 1000; i++) names.spelledAs('json').keep(`${i}`, parseMetricName(`${'x'.repeat(1000)}${i}`));
    expect(names.size).toBeLessThan(100);
  });

  it('lets each body create its own headers', () => {
    const names = new NameCache().spelledAs('json');
    const name = names.keep('a', parseMetricName('a'));
    if (isNameProblem(name)) throw new Error(name.problem);
    for (let body = 0; body < 2; body++) {
      const builder = new BatchBuilder(parseLimits(NOW));
      const live = builder.series(name, false);
      const history = builder.series(name, true);
      expect([builder.series(name, false), builder.series(name, true)]).toEqual([live, history]);
      builder.add(live, NOW, 1);
      builder.add(history, NOW - 7200, 2);
      const { batch, refusals } = builder.finish();
      expect(refusals.total).toBe(0);
      expect(batch.series.map((header) => [header.name, header.backfill])).toEqual([
        ['a', false],
        ['a', true],
      ]);
    }
  });
});
