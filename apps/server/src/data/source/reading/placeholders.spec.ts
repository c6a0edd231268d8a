import { namesWindow, piecesOf } from './placeholders.js';

const shown = (query: string): string =>
  piecesOf(query)
    .map((piece) => (typeof piece === 'string' ? piece : `<${piece.placeholder}>`))
    .join('');

describe('piecesOf', () => {
  it.each([
    ['time >= :from AND time < :until', 'time >= <from> AND time < <until>'],
    ['t > :from_seconds AND t < :until_seconds', 't > <from_seconds> AND t < <until_seconds>'],
    ['GROUP BY time(:interval)', 'GROUP BY time(<interval>)'],
    ["WHERE a = ':from' AND b = :from", "WHERE a = ':from' AND b = <from>"],
    ["WHERE a = 'it''s :from' AND b = :from", "WHERE a = 'it''s :from' AND b = <from>"],
    ['SELECT ":from" FROM x WHERE t > :from', 'SELECT ":from" FROM x WHERE t > <from>'],
    ['SELECT `:from` FROM x WHERE t > :from', 'SELECT `:from` FROM x WHERE t > <from>'],
    ['SELECT 1 -- :from\nWHERE t > :from', 'SELECT 1 -- :from\nWHERE t > <from>'],
    ['SELECT 1 /* :from */ WHERE t > :from', 'SELECT 1 /* :from */ WHERE t > <from>'],
    ['SELECT x::from, y:::from', 'SELECT x::from, y::<from>'],
    ['SELECT a[1:2], :other, :FROM', 'SELECT a[1:2], :other, :FROM'],
    ["WHERE a = ':from", "WHERE a = ':from"],
    ['/* :from', '/* :from'],
  ])('finds the placeholders of %s', (query, expected) => {
    expect(shown(query)).toBe(expected);
  });

  it('keeps all text except placeholders unchanged', () => {
    for (const query of ['', ':', '::', "'", '"', '`', '--', '/*', '/**', "'\\", ':from:', 'é:from€']) {
      expect(shown(query).replaceAll(/<(\w+)>/g, ':$1')).toBe(query);
    }
  });
});

it('namesWindow returns false for a query without window placeholders', () => {
  expect(namesWindow('SELECT count(*) AS value FROM jobs')).toBe(false);
  expect(namesWindow("SELECT ':from' AS x, :interval AS value")).toBe(false);
  expect(namesWindow('SELECT 1 WHERE t > :from_seconds')).toBe(true);
});
