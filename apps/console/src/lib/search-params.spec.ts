import { pageParam, severityParam, textsParam, withoutGaps, choiceParam } from './search-params';

describe('parameters of an address', () => {
  it('takes severities by name; info is all there is', () => {
    expect([severityParam('major'), severityParam('info'), severityParam('huge'), severityParam(3)]).toEqual([
      'major',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes one text or a list of them, and leaves out what is no text', () => {
    expect([textsParam('a'), textsParam(['a', 3, '', 'b']), textsParam([]), textsParam(undefined)]).toEqual([
      ['a'],
      ['a', 'b'],
      undefined,
      undefined,
    ]);
  });

  it('counts pages from 2; the first one has no number', () => {
    expect([pageParam(2), pageParam('3'), pageParam(1), pageParam(-4), pageParam('x'), pageParam(1e12)]).toEqual([
      2,
      3,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes only words that it knows', () => {
    expect([choiceParam(['open', 'resolved'], 'open'), choiceParam(['open'], 'shut')]).toEqual(['open', undefined]);
  });

  it('leaves out what is not set', () => {
    expect(withoutGaps({ a: 1, b: undefined })).toEqual({ a: 1 });
  });
});
