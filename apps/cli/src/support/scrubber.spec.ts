import { Scrubber, withoutValues } from './scrubber.js';

describe('the texts of a support bundle', () => {
  const scrubber = new Scrubber(['a "quoted" secret', 'p@ss/word', 'abc']);

  it.each([
    ['plain: a "quoted" secret.', 'plain: [hidden].'],
    [JSON.stringify({ note: 'a "quoted" secret' }), '{"note":"[hidden]"}'],
    [`in an address: ${encodeURIComponent('p@ss/word')}`, 'in an address: [hidden]'],
    [`in base64: ${Buffer.from('p@ss/word').toString('base64')}`, 'in base64: [hidden]'],
    ['too short to be hidden: abc', 'too short to be hidden: abc'],
    ['token pl_abcDEF-123', 'token [hidden]'],
    [`session ${'0f'.repeat(16)}`, 'session [hidden]'],
    ['postgres://me:it@db/x', 'postgres://[hidden]@db/x'],
    ['Authorization: Bearer abcdefgh', 'Authorization: "[hidden]" [hidden]'],
    ['{"smtp_password":"x y z"}', '{"smtp_password":"[hidden]"}'],
    ['password=hunter2&more=1', 'password="[hidden]"&more=1'],
  ])('%s', (text, clean) => {
    expect(scrubber.clean(text)).toBe(clean);
  });

  it('are scrubbed in time proportional to their length', () => {
    const started = performance.now();
    for (const text of ['password', '://', "'", '"', 'bearer ', 'a'].map((part) => part.repeat(200_000)))
      scrubber.clean(text);
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it('contain no values of SQL statements', () => {
    expect(withoutValues(`SELECT a1 FROM b WHERE c = 'it''s' AND d = 12.5 AND e = $$x$$`)).toBe(
      'SELECT a1 FROM b WHERE c = ? AND d = ? AND e = ?',
    );
    expect(withoutValues(`ALTER ROLE x PASSWORD 'never closed`)).toBe('ALTER ROLE x PASSWORD ?');
  });
});
