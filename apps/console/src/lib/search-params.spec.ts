import { pageParam, severityParam, textsParam, withoutGaps, choiceParam } from './search-params';

describe('parsing of URL parameters', () => {
  it('accepts known severities, and omits info because it is the default', () => {
    expect([severityParam('major'), severityParam('info'), severityParam('huge'), severityParam(3)]).toEqual([
      'major',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('accepts a string or a list of strings, and drops other values', () => {
    expect([textsParam('a'), textsParam(['a', 3, '', 'b']), textsParam([]), textsParam(undefined)]).toEqual([
      ['a'],
      ['a', 'b'],
      undefined,
      undefined,
    ]);
  });

  it('accepts page numbers from 2', () => {
    expect([pageParam(2), pageParam('3'), pageParam(1), pageParam(-4), pageParam('x'), pageParam(1e12)]).toEqual([
      2,
      3,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('accepts only the listed choices', () => {
    expect([choiceParam(['open', 'resolved'], 'open'), choiceParam(['open'], 'shut')]).toEqual(['open', undefined]);
  });

  it('removes undefined members', () => {
    expect(withoutGaps({ a: 1, b: undefined })).toEqual({ a: 1 });
  });
});
