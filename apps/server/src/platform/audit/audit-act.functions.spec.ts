import { actorOf, changesBetween } from './audit-act.functions.js';

describe('changesBetween', () => {
  it('tells the members that differ, missing ones as null', () => {
    const before = { name: 'a', zone: 'UTC', list: [1, 2], gone: true };
    const after = { name: 'b', zone: 'UTC', list: [1, 2], fresh: { deep: [] } };
    expect(changesBetween(before, after)).toEqual([
      { field: 'name', before: 'a', after: 'b' },
      { field: 'fresh', before: null, after: { deep: [] } },
      { field: 'gone', before: true, after: null },
    ]);
  });

  it('compares values as they are stored', () => {
    const at = new Date(0);
    expect(changesBetween({ at, none: undefined }, { at: '1970-01-01T00:00:00.000Z', none: null })).toEqual([]);
    expect(changesBetween({ at: null }, { at })).toEqual([
      { field: 'at', before: null, after: '1970-01-01T00:00:00.000Z' },
    ]);
  });

  it('never shows a secret, neither the old one nor the new one', () => {
    const changes = changesBetween({ key: 'old', url: null }, { key: 'new', url: null }, { secrets: ['key', 'url'] });
    expect(changes).toEqual([{ field: 'key', before: null, after: 'changed' }]);
  });
});

describe('actorOf', () => {
  it('names a user or a token', () => {
    const org = { id: 1, timezone: 'UTC', onboardingStatusId: 1 } as const;
    expect(actorOf({ kind: 'token', org, permissions: 16, tokenRef: 7 })).toEqual({ type: 'token', tokenRef: 7 });
  });
});
