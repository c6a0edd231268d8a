import { csvCell, csvText } from './csv';

describe('csvText', () => {
  it('writes a header line and one line per row, each ended by CR LF', () => {
    expect(csvText(['metric', 'severity'], [['shop.orders', 73]])).toBe('metric,severity\r\nshop.orders,73\r\n');
  });

  it('writes only the header line without rows', () => {
    expect(csvText(['a', 'b'], [])).toBe('a,b\r\n');
  });
});

describe('csvCell', () => {
  it('quotes commas, quotation marks and line breaks, and doubles quotation marks', () => {
    expect(csvCell('cpu{job="shop",core="1"}')).toBe('"cpu{job=""shop"",core=""1""}"');
    expect(csvCell('two\nlines')).toBe('"two\nlines"');
  });

  it('returns an empty string for null and undefined', () => {
    expect([csvCell(null), csvCell(undefined)]).toEqual(['', '']);
  });

  it.each(['=1+1', '+cmd', '-cmd|calc', '@SUM(A1)', '\tx'])('prefixes the formula %j with an apostrophe', (text) => {
    expect(csvCell(text)).toBe(`'${text}`);
  });

  it('quotes a formula after the apostrophe was added', () => {
    expect(csvCell('=HYPERLINK("http://x","y")')).toBe('"\'=HYPERLINK(""http://x"",""y"")"');
  });

  it.each(['-12.5', '+3', '-1e-7', '-.5'])('keeps the number %s unchanged', (text) => {
    expect(csvCell(text)).toBe(text);
  });

  it('keeps negative numbers unchanged', () => {
    expect(csvCell(-4.25)).toBe('-4.25');
  });
});
