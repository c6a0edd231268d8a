import { findMember } from './find-member.js';

const find = (text: string) => findMember(Buffer.from(text), 'key');

describe('findMember', () => {
  it.each([
    ['first', '{"key":"pl_1","metrics":[{"metric":"a"', 'pl_1'],
    ['after others', '{"test": true, "n": 1.5, "metrics": [{"key": "no"}], "key" : "pl_1", "x', 'pl_1'],
    ['with escapes', '{"\\u006bey":"pl\\"_\\\\1"', 'pl"_\\1'],
    ['with brackets in texts before it', '{"a":"}{][\\"","key":"pl_1"', 'pl_1'],
    ['as an empty text', '{"key":""', ''],
  ])('finds a member %s', (_name, text, want) => {
    expect(find(text)).toBe(want);
  });

  it.each([
    ['a member of a member', '{"metrics":{"key":"pl_1"}}'],
    ['a value of that text', '{"name":"key","x":"pl_1"}'],
    ['a member that is no text', '{"key":{"a":"pl_1"}}'],
    ['a list', '[{"key":"pl_1"}]'],
    ['a number', '{"key":1,"x":"pl_1"}'],
    ['a text that is cut off', '{"key":"pl_'],
    ['nothing', ''],
    ['noise', '}}}}"key":"pl_1"'],
  ])('does not take %s for it', (_name, text) => {
    expect(find(text)).toBeNull();
  });
});
