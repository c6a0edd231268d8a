import { KnownNames } from './known-names.js';
import { type KnownName } from './metric-registry.repository.js';

const aRow = (id: number, overrides: Partial<KnownName> = {}): KnownName => ({
  id,
  name: `m${id}`,
  isRemoved: false,
  type: 'gauge',
  typeSource: 'default',
  unit: null,
  description: null,
  ...overrides,
});

describe('KnownNames', () => {
  it('keeps as many names as allowed in steady use, and never more', () => {
    const names = new KnownNames(200_000);
    for (let id = 1; id <= 300_000; id++) names.remember(1, `m${id}`, aRow(id));
    expect(names.size).toBeLessThanOrEqual(200_000);
    for (let round = 0; round < 3; round++) {
      let missed = 0;
      for (let id = 1; id < 190_000; id++) {
        if (names.getTable(1).get(`m${id}`) !== undefined) continue;
        missed++;
        names.remember(1, `m${id}`, aRow(id));
      }
      expect(missed).toBe(0);
    }
  });

  it('separates organisations, and forgets by name or by id', () => {
    const names = new KnownNames(100);
    for (const orgId of [1, 2]) for (const id of [1, 2, 3]) names.remember(orgId, `m${id}`, aRow(id * 10 + orgId));
    names.forget(1, ['m1', 'unknown']);
    names.forgetIds(1, [21, 999, 32]);
    const ids = (orgId: number) => [1, 2, 3].map((id) => names.getTable(orgId).get(`m${id}`)?.id);
    expect(ids(1)).toEqual([undefined, undefined, 31]);
    expect(ids(2)).toEqual([12, 22, 32]);
  });

  it('updates a known metric, and ignores an unknown one', () => {
    const names = new KnownNames(100);
    const known = names.remember(1, 'm1', aRow(1));
    known.describedAt = 5;
    names.update(1, aRow(1, { type: 'counter', typeSource: 'metadata', unit: 's' }));
    names.update(1, aRow(2));
    expect(names.getTable(1).get('m1')).toMatchObject({
      id: 1,
      type: 'counter',
      typeRank: 3,
      unit: 's',
      describedAt: 5,
    });
    expect(names.getTable(1).get('m2')).toBeUndefined();
  });

  it('stays within its byte limit with long names', () => {
    const names = new KnownNames(1_000_000, 1_000_000);
    for (let i = 0; i < 5000; i++) names.remember(i % 7, `${'x'.repeat(1000)}${i}`, aRow(i));
    expect(names.size).toBeLessThan(1_000_000 / 2000);
  });
});
