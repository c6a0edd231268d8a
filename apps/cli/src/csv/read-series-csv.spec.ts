import { InputError } from '../cli-error.js';
import { type CsvSeries, readSeriesCsv, type ReadSeriesOptions } from './read-series-csv.js';

async function* chunks(...parts: (Buffer | string)[]): AsyncGenerator<Buffer | string> {
  yield* parts;
}

function readText(text: string | Buffer, options: Partial<ReadSeriesOptions> = {}): Promise<CsvSeries> {
  return readSeriesCsv(chunks(text), { source: 'in.csv', timezone: 'UTC', ...options });
}

describe('readSeriesCsv', () => {
  it.each([
    ['a header', 'timestamp,value\n60,1.5\n120,2\n'],
    ['no header', '60,1.5\n120,2\n'],
    ['semicolons', 'timestamp;value\n60;1.5\n120;2\n'],
    ['tabs', 'timestamp\tvalue\n60\t1.5\n120\t2\n'],
    ['carriage returns', 'timestamp,value\r\n60,1.5\r\n120,2\r\n'],
    ['no final line break', '60,1.5\n120,2'],
    ['a byte order mark', '\uFEFFtimestamp,value\n60,1.5\n120,2\n'],
    ['quoted cells', '"TimeStamp","Value"\n"60","1.5"\n"120",2\n'],
    ['blanks around cells', ' timestamp , value \n 60 , 1.5 \n120,\t2\n'],
    ['blank lines', '\ntimestamp,value\n\n60,1.5\n\n120,2\n\n'],
    ['ISO times', '1970-01-01T00:01:00Z,1.5\n1970-01-01T00:02:00Z,2\n'],
    ['additional columns under a header', 'host,timestamp,value,label\na,60,1.5,0\na,120,2,1\n'],
    ['swapped columns', 'value,time\n1.5,60\n2,120\n'],
    ['two columns with other names', 'day,requests\n60,1.5\n120,2\n'],
    ['a quoted separator in the header', '"timestamp, s";value\n60;1.5\n120;2\n'],
  ])('reads %s', async (_, text) => {
    const series = await readText(text);
    expect(Array.from(series.timestamps)).toEqual([60, 120]);
    expect(Array.from(series.values)).toEqual([1.5, 2]);
  });

  it('keeps the order of the file and the original timestamp texts', async () => {
    const series = await readText('1970-01-01 00:02:00,1\n1970-01-01 00:01:00,2\n1970-01-01 00:01:00,3\n');
    expect(Array.from(series.timestamps)).toEqual([120, 60, 60]);
    expect(series.timestampTexts).toEqual(['1970-01-01 00:02:00', '1970-01-01 00:01:00', '1970-01-01 00:01:00']);
  });

  it('reads times and numbers in the given formats', async () => {
    const series = await readText('Zeit;Umsatz\n01.01.1970 01:01;1.005,5\n1.1.1970 01:02;7\n', {
      timeFormat: 'dd.MM.yyyy HH:mm',
      decimal: ',',
      timezone: 'Europe/Berlin',
    });
    expect(Array.from(series.timestamps)).toEqual([60, 120]);
    expect(Array.from(series.values)).toEqual([1005.5, 7]);
  });

  it('rejects a time format without a year', async () => {
    await expect(readText('60,1\n', { timeFormat: 'HH:mm' })).rejects.toThrow(
      '--time-format: the pattern "HH:mm" has no year',
    );
  });

  it('reports the first three wrong lines with value and reason, and counts the others', async () => {
    const text = 'time,value\n60,1\nsoon,2\n120,1 GB\n180,4\n240,x\n300,y\n';
    const error = (await readText(text).catch((reason: unknown) => reason)) as InputError;
    expect(error.exitCode).toBe(2);
    expect(error.message.split('\n')).toEqual([
      expect.stringMatching(/^in\.csv, line 3: timestamp "soon" is neither/),
      'in.csv, line 4: value "1 GB" has the unit GB; send the number alone',
      'in.csv, line 6: value "x" is not a number',
      'and 1 more wrong lines',
    ]);
  });

  it.each(['', 'NaN', 'nan', 'null', 'NA', 'n/a', 'None'])('treats the value "%s" as missing', async (cell) => {
    expect(Array.from((await readText(`60,1\n120,${cell}\n`)).values)).toEqual([1, NaN]);
  });

  it.each([
    ['-1.5', -1.5],
    ['+2', 2],
    ['.5', 0.5],
    ['3.', 3],
    ['1e-9', 1e-9],
    ['2E3', 2000],
  ])('reads the number "%s"', async (cell, want) => {
    expect((await readText(`60,${cell}\n`)).values[0]).toBe(want);
  });

  it('reads the columns given by name', async () => {
    const series = await readText('when,p50,p99\n60,1,9\n', { timestampColumn: 'when', valueColumn: 'P99' });
    expect(Array.from(series.values)).toEqual([9]);
    expect(series.valueName).toBe('p99');
  });

  it('reads a file in one-byte chunks that split characters', async () => {
    const bytes = Buffer.from('timestamp,größe\n60,1\n120,2\n');
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    const series = await readSeriesCsv(chunks(...pieces), { source: 'in.csv', timezone: 'UTC' });
    expect(series.valueName).toBe('größe');
    expect(Array.from(series.timestamps)).toEqual([60, 120]);
  });

  it.each(['label', 'Label', 'anomaly', 'is_anomaly'])('reads the labels of a column called %s', async (name) => {
    const text = `TimeStamp,load,${name}\n60,1,0\n120,2,1\n180,3,1.0\n240,4,False\n300,5,\n`;
    const series = await readText(text, { readLabels: true });
    expect(Array.from(series.labels!)).toEqual([0, 1, 1, 0, 0]);
    expect(Array.from(series.values)).toEqual([1, 2, 3, 4, 5]);
    expect(series.valueName).toBe('load');
  });

  it('returns no labels unless they are requested and a label column exists', async () => {
    expect((await readText('timestamp,value,label\n60,1,0\n')).labels).toBeUndefined();
    expect((await readText('timestamp,value\n60,1\n', { readLabels: true })).labels).toBeUndefined();
  });

  it('rejects a label that is neither 0 nor 1', async () => {
    await expect(readText('timestamp,value,label\n60,1,maybe\n', { readLabels: true })).rejects.toThrow(
      'in.csv, line 2: label "maybe" is neither 0 nor 1',
    );
  });

  it('reports the number of bytes read', async () => {
    let bytes = 0;
    await readSeriesCsv(chunks('60,1\n', '120,2\n'), {
      source: 'x',
      timezone: 'UTC',
      onBytes: (count) => (bytes += count),
    });
    expect(bytes).toBe(11);
  });

  it.each([
    ['a wrong timestamp', 'timestamp,value\n60,1\nsoon,2\n', 3, 'timestamp "soon" is neither'],
    ['another time format', '31.01.2026 10:00;1\n', 1, 'say which: --time-format dd.MM.yyyy HH:mm'],
    ['a time in the far future', '60,1\n1e25,2\n', 2, 'taken for nanoseconds: after the year 9999, in the future'],
    ['a time in the far past', '60,1\n-1e30,2\n', 2, 'taken for nanoseconds: before the year 1'],
    ['a unit', '60,10.8 %\n', 1, 'value "10.8 %" has the unit %; send the number alone'],
    ['a wrong timestamp after blank lines', '60,1\n\n\nsoon,2\n', 4, 'timestamp "soon" is neither'],
    ['an empty timestamp', '60,1\n,2\n', 2, 'is not a time: the cell is empty'],
    ['a wrong value', '60,1\n120,abc\n', 2, 'value "abc" is not a number'],
    ['an infinite value', '60,Infinity\n', 1, 'value "Infinity" is not a finite number'],
    ['a value that overflows', '60,1e999\n', 1, 'is not a finite number'],
    ['hexadecimal', '60,0x1F\n', 1, 'value "0x1F" is not a number'],
    ['an ambiguous comma', '60;1,005\n', 1, '--decimal , or --decimal .'],
    ['a missing column', '60,1\n120\n', 2, 'expected 2 columns, got 1'],
    ['an extra column', '60,1\n120,2,3\n', 2, 'expected 2 columns, got 3'],
    ['one column', 'value\n1\n', 1, 'expected the columns timestamp,value'],
    ['three columns without header', '60,1,2\n', 1, 'expected two columns'],
    ['three columns without a known name', 'timestamp,up,down\n60,1,2\n', 1, '--value-column'],
    ['an unclosed quote', '60,1\n"120,2\n', 2, 'not closed'],
    ['no rows', 'timestamp,value\n', 1, 'no data rows'],
    ['an empty file', '', 1, 'no data rows'],
    ['a first row that is half a header', 'when,1\n60,2\n', 1, 'timestamp "when" is neither'],
    ['UTF-16', Buffer.from('60,1\n', 'utf16le'), 1, 'UTF-16; save it in UTF-8'],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 1, 'gzip'],
  ])('rejects %s with the line number', async (_, text, line, rule) => {
    const error: unknown = await readText(text).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(`in.csv, line ${line}: `);
    expect((error as InputError).rule).toContain(rule);
    expect((error as InputError).exitCode).toBe(2);
  });

  it.each([
    ['timestamp,value\n60,1\n', 'there is no column "latency"'],
    ['60,1\n', 'the file has no header'],
  ])('rejects a column name that does not exist in %p', async (text, rule) => {
    await expect(readText(text, { valueColumn: 'latency' })).rejects.toThrow(rule);
  });

  it('rejects an endless line', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('60,1\n');
      for (let i = 0; i < 1000; i++) yield Buffer.alloc(1024, 0x31);
    }
    await expect(readSeriesCsv(endless(), { source: 'in.csv', timezone: 'UTC' })).rejects.toThrow('is longer than');
  });
});
