import { findMember } from './find-member.js';

const find = (text: string) => findMember(Buffer.from(text), 'key');

describe('findMember', () => {
  it.each([
    ['first', '{"key":"pl_1","metrics":[{"metric":"a"', 'pl_1'],
    ['after other members', '{"test": true, "n": 1.5, "metrics": [{"key": "no"}], "key" : "pl_1", "x', 'pl_1'],
    ['with escapes', '{"\\u006bey":"pl\\"_\\\\1"', 'pl"_\\1'],
    ['after strings with brackets', '{"a":"}{][\\"","key":"pl_1"', 'pl_1'],
    ['that is an empty string', '{"key":""', ''],
  ])('finds a member: %s', (_name, text, want) => {
    expect(find(text)).toBe(want);
  });

  it.each([
    ['a member of a member', '{"metrics":{"key":"pl_1"}}'],
    ['a value equal to the name', '{"name":"key","x":"pl_1"}'],
    ['a member that is not a string', '{"key":{"a":"pl_1"}}'],
    ['a list', '[{"key":"pl_1"}]'],
    ['a number', '{"key":1,"x":"pl_1"}'],
    ['a truncated string', '{"key":"pl_'],
    ['an empty text', ''],
    ['noise', '}}}}"key":"pl_1"'],
  ])('returns null for %s', (_name, text) => {
    expect(find(text)).toBeNull();
  });
});
