import { csvCell, csvText } from './csv';

describe('csvText', () => {
  it('writes a line of names and a line for each row, ended by CR LF', () => {
    expect(csvText(['metric', 'severity'], [['shop.orders', 73]])).toBe('metric,severity\r\nshop.orders,73\r\n');
  });

  it('writes the names alone when there are no rows', () => {
    expect(csvText(['a', 'b'], [])).toBe('a,b\r\n');
  });
});

describe('csvCell', () => {
  it('encloses commas, quotes and line breaks, and doubles quotes', () => {
    expect(csvCell('cpu{job="shop",core="1"}')).toBe('"cpu{job=""shop"",core=""1""}"');
    expect(csvCell('two\nlines')).toBe('"two\nlines"');
  });

  it('leaves nothing for what is not known', () => {
    expect([csvCell(null), csvCell(undefined)]).toEqual(['', '']);
  });

  it.each(['=1+1', '+cmd', '-cmd|calc', '@SUM(A1)', '\tx'])('puts an apostrophe before the formula %j', (text) => {
    expect(csvCell(text)).toBe(`'${text}`);
  });

  it('encloses a formula after the apostrophe was put before it', () => {
    expect(csvCell('=HYPERLINK("http://x","y")')).toBe('"\'=HYPERLINK(""http://x"",""y"")"');
  });

  it.each(['-12.5', '+3', '-1e-7', '-.5'])('leaves the number %s as it is', (text) => {
    expect(csvCell(text)).toBe(text);
  });

  it('leaves negative numbers as they are', () => {
    expect(csvCell(-4.25)).toBe('-4.25');
  });
});
