import { actorOf, changesBetween } from './audit-act.functions.js';

describe('changesBetween', () => {
  it('returns changed members, with null for missing ones', () => {
    const before = { name: 'a', zone: 'UTC', list: [1, 2], gone: true };
    const after = { name: 'b', zone: 'UTC', list: [1, 2], fresh: { deep: [] } };
    expect(changesBetween(before, after)).toEqual([
      { field: 'name', before: 'a', after: 'b' },
      { field: 'fresh', before: null, after: { deep: [] } },
      { field: 'gone', before: true, after: null },
    ]);
  });

  it('compares values as stored', () => {
    const at = new Date(0);
    expect(changesBetween({ at, none: undefined }, { at: '1970-01-01T00:00:00.000Z', none: null })).toEqual([]);
    expect(changesBetween({ at: null }, { at })).toEqual([
      { field: 'at', before: null, after: '1970-01-01T00:00:00.000Z' },
    ]);
  });

  it('never returns the old or new value of a secret', () => {
    const changes = changesBetween({ key: 'old', url: null }, { key: 'new', url: null }, { secrets: ['key', 'url'] });
    expect(changes).toEqual([{ field: 'key', before: null, after: 'changed' }]);
  });
});

describe('actorOf', () => {
  it('returns a token actor', () => {
    const org = { id: 1, timezone: 'UTC', onboardingStatusId: 1 } as const;
    expect(actorOf({ kind: 'token', org, permissions: 16, tokenRef: 7 })).toEqual({ type: 'token', tokenRef: 7 });
  });
});
