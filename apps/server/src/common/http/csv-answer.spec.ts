import { csvText, csvTime } from './csv-answer.js';

describe('a table as CSV', () => {
  it('has a header line and quotes commas and quotes', () => {
    const rows = [
      ['a,b', 1.5, true],
      ['say "x"', -2, null],
    ];
    expect(csvText({ columns: ['name', 'value', 'anomalous'], rows })).toBe(
      'name,value,anomalous\r\n"a,b",1.5,true\r\n"say ""x""",-2,\r\n',
    );
  });

  it.each(['=1+1', '+1', '-cmd', '@SUM(A1)'])('does not contain %j as a formula', (text) => {
    expect(csvText({ columns: ['name'], rows: [[text]] })).toBe(`name\r\n"'${text}"\r\n`);
  });

  it('has times in RFC 3339', () => {
    expect([csvTime(1_760_000_000), csvTime(1.5), csvTime(null)]).toEqual([
      '2025-10-09T08:53:20Z',
      '1970-01-01T00:00:01.500Z',
      null,
    ]);
  });
});
