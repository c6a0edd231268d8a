import { type BadLine } from '../batch/refusals.js';
import fc from 'fast-check';
import { type ParseLimits, parseLimits } from '../batch/limits.js';
import { type ParsedBatch } from '../batch/parsed-batch.js';
import { type GraphiteBatch, GraphiteReader } from './graphite-reader.js';

const placeOf = ({ line, problem }: BadLine) => ({ line, problem });

const NOW = 1_760_000_000;
const TOKEN = `pl_${'a'.repeat(43)}`;
const OTHER = `pl_${'b-_'.repeat(14)}b`;

function read(text: string | Uint8Array, limits: Partial<ParseLimits> = {}): GraphiteBatch[] {
  const reader = new GraphiteReader();
  reader.push(Buffer.from(text), parseLimits(NOW, limits));
  return reader.take();
}

/** Formats points as `name@timestamp=value`, with timestamps relative to now. */
function points({ batch }: { batch: ParsedBatch }): string[] {
  return Array.from(
    { length: batch.count },
    (_, row) => `${batch.series[batch.seriesIndex[row]!]!.name}@${batch.timestamps[row]! - NOW}=${batch.values[row]!}`,
  );
}

/** Returns the batch of lines without a token. */
function readPlain(text: string | Uint8Array, limits: Partial<ParseLimits> = {}): GraphiteBatch {
  const batches = read(text, limits);
  expect(batches.map(({ token }) => token)).toEqual([null]);
  return batches[0]!;
}

describe('valid Graphite lines', () => {
  it.each<[string, string[]]>([
    [`web-1.cpu.load 1.5 ${NOW - 5}\n`, ['web-1.cpu.load@-5=1.5']],
    [`web-1.cpu.load 1.5 ${NOW}\r\n`, ['web-1.cpu.load@0=1.5']],
    [`\t web-1.cpu   1.5\t ${NOW - 1}  \n`, ['web-1.cpu@-1=1.5']],
    ['a 1\n', ['a@0=1']],
    ['a 1 -1\n', ['a@0=1']],
    ['a 1 -1.0\n', ['a@0=1']],
    [`a 1 ${NOW - 2}.5\n`, ['a@-1.5=1']],
    [`a -1e3 ${NOW}\na +.5 ${NOW}\na 5. ${NOW}\n`, ['a@0=-1000', 'a@0=0.5', 'a@0=5']],
    [`a 12345678901234567890 ${NOW}\n`, ['a@0=12345678901234567000']],
    [`\n\r\n   \na 1\n`, ['a@0=1']],
    [`cpu.load;host=web-1;dc=eu 1 ${NOW}\n`, ['cpu.load{dc="eu",host="web-1"}@0=1']],
    ['cpu;host= 1\n', ['cpu@0=1']],
    ['cpu;url=a=b 1\n', ['cpu{url="a=b"}@0=1']],
    ['disk*used;mount!point=a\u0001b 1\n', ['disk_used{mount_point="a_b"}@0=1']],
    ['température.salle 21.5\n', ['température.salle@0=21.5']],
    ['a 1\nb 2\na 3\n', ['a@0=1', 'b@0=2', 'a@0=3']],
  ])('are parsed: %j', (text, expected) => {
    const result = readPlain(text);
    expect(points(result)).toEqual(expected);
    expect(result.refusals.total).toBe(0);
  });
});

describe('refused Graphite lines', () => {
  it.each<[string, string, string]>([
    ['a\n', 'a', 'not_numeric'],
    [`a x ${NOW}\n`, `a x ${NOW}`, 'not_numeric'],
    ['a 1i\n', 'a 1i', 'not_numeric'],
    ['a true\n', 'a true', 'not_numeric'],
    ['a 0x10\n', 'a 0x10', 'not_numeric'],
    ['a nan\n', 'a', 'not_finite'],
    ['a -Inf\n', 'a', 'not_finite'],
    ['a 1e999\n', 'a', 'not_finite'],
    ['a 1 yesterday\n', 'a 1 yesterday', 'bad_timestamp'],
    [`a 1 ${NOW} extra\n`, `a 1 ${NOW} extra`, 'bad_timestamp'],
    ['a 1 -2\n', 'a', 'bad_timestamp'],
    ['a 1 nan\n', 'a', 'bad_timestamp'],
    [`a 1 ${NOW - 86_401}\n`, 'a', 'too_old'],
    [`a 1 ${NOW + 61}\n`, 'a', 'in_future'],
    [`a 1 ${NOW}000\n`, 'a', 'in_future'],
    ['id:5 1\n', 'id:5', 'bad_name'],
    [';host=a 1\n', ';host=a', 'bad_name'],
    ['a;host 1\n', 'a;host', 'bad_name'],
    ['a;=b 1\n', 'a;=b', 'bad_name'],
    ['a;x=1;x=2 1\n', 'a;x=1;x=2', 'bad_name'],
    [`${'x'.repeat(1025)} 1\n`, 'x'.repeat(1024), 'bad_name'],
    [`a${Array.from({ length: 41 }, (_, i) => `;l${i}=v`).join('')} 1\n`, 'a;l0=v', 'too_many_labels'],
  ])('are recorded for %j', (text, name, reason) => {
    const { batch, refusals } = readPlain(text);
    expect(batch.count).toBe(0);
    const [[metric, counts]] = [...refusals.metrics] as [[string, object]];
    expect(metric.startsWith(name)).toBe(true);
    expect(counts).toEqual({ [reason]: 1 });
  });

  it.each<[string, string]>([
    ['a', 'a line must be: path value timestamp, got "a"'],
    [`${TOKEN}.a`, 'a line must be: path value timestamp, got "a"'],
    ['a 12,5 1760000000', 'the value must be a number, got "12,5"'],
    ['a nan', 'the value must be a finite number, got "nan"'],
    [`${TOKEN}.a 1 yesterday`, 'the timestamp must be a number of seconds, got "yesterday"'],
    [`a 1 ${NOW} extra`, `the timestamp must be a number of seconds, got "${NOW} extra"`],
    ['a 1 -2', 'the timestamp must be a Unix time, got -2'],
    [
      `a 1 ${NOW - 86_401}`,
      `the timestamp must be at most 86400 s ago, got ${NOW - 86_401}, taken for seconds: 2025-10-08; send history with backfill`,
    ],
    [
      `a 1 ${NOW}000`,
      `the timestamp must be at most 60 s in the future, got ${NOW}000, taken for seconds: after the year 9999`,
    ],
    ['a;host 1', 'the path must be a metric name, got "a;host": a tag must be name=value'],
    [`a ${TOKEN}`, 'the value must be a number, got "pl_…"'],
  ])('are described with member, rule and value: %j', (line, problem) => {
    for (const end of ['\n', '\r\n']) {
      const { refusals } = read(`${line}${end}`)[0]!;
      expect(refusals.badLines.map(placeOf)).toEqual([{ line: 1, problem }]);
      expect(refusals.badLines.filter(({ reason }) => refusals.countOf(reason) === 0)).toEqual([]);
    }
  });

  it('are recorded with their line number in the connection', () => {
    const reader = new GraphiteReader();
    reader.push(Buffer.from('a 1\n\nb\n'), parseLimits(NOW));
    expect(reader.take()[0]!.refusals.badLines.map(placeOf)).toEqual([
      { line: 3, problem: 'a line must be: path value timestamp, got "b"' },
    ]);
    reader.push(Buffer.from('c\n'), parseLimits(NOW));
    expect(reader.take()[0]!.refusals.badLines[0]!.line).toBe(4);
  });

  it('longer than 4 KiB are recorded once for any chunk size, and the next line is parsed', () => {
    for (const size of [1, 7, 4096, 4097, 100_000]) {
      const text = Buffer.from(`ok 1\n${'x'.repeat(50_000)} 1\nnext 2\n`);
      const reader = new GraphiteReader();
      for (let at = 0; at < text.length; at += size) reader.push(text.subarray(at, at + size), parseLimits(NOW));
      const [result] = reader.take() as [GraphiteBatch];
      expect(points(result)).toEqual(['ok@0=1', 'next@0=2']);
      expect(Object.fromEntries(result.refusals.metrics)).toEqual({ ['x'.repeat(80)]: { bad_name: 1 } });
    }
  });

  it('are not recorded for exactly 4 KiB', () => {
    const line = `a 1${' '.repeat(4093)}`;
    expect(points(readPlain(`${line}\n`))).toEqual(['a@0=1']);
    expect(readPlain(`${line} \n`).refusals.total).toBe(1);
  });
});

describe('tokens in Graphite lines', () => {
  it('are removed from the start of the name, and separate the points', () => {
    const batches = read(`${TOKEN}.web-1.cpu 1\nplain 2\n${OTHER}.a;x=1 3\n${TOKEN}.web-1.cpu 4\n`);
    expect(batches.map((batch) => [batch.token, points(batch)])).toEqual([
      [TOKEN, ['web-1.cpu@0=1', 'web-1.cpu@0=4']],
      [null, ['plain@0=2']],
      [OTHER, ['a{x="1"}@0=3']],
    ]);
  });

  it('are recognised even if mistyped, so that no name or report contains them', () => {
    const batches = read('pl_short.cpu 1\npl_only 1\npl_x.cpu;a= b\npl_long.' + 'y'.repeat(5000) + ' 1\n');
    expect(batches.map(({ token }) => token)).toEqual(['pl_short', 'pl_only', 'pl_x', 'pl_long']);
    expect(batches.map(({ refusals }) => [...refusals.metrics.keys()].join())).toEqual([
      '',
      '',
      'cpu;a= b',
      'y'.repeat(80),
    ]);
  });

  it('are limited to 64 at a time', () => {
    const lines = Array.from({ length: 70 }, (_, i) => `pl_${i}.a 1\n`).join('');
    const batches = read(lines);
    expect(batches).toHaveLength(65);
    const plain = batches.find(({ token }) => token === null)!;
    expect(plain.refusals.countOf('bad_name')).toBe(6);
    expect(plain.refusals.badLines.map(placeOf)[0]).toEqual({
      line: 65,
      problem: 'lines must have at most 64 different tokens at once',
    });
  });
});

describe('the Graphite stream', () => {
  const TEXT = `a 1 ${NOW}\r\nb;h=é 2 ${NOW - 1}\n\n${TOKEN}.c 3\nbad\n${'x'.repeat(4200)} 1\nd 4 -1\n`;
  const summary = (batches: GraphiteBatch[]): unknown =>
    batches.map((batch) => [batch.token, points(batch), [...batch.refusals.metrics], batch.refusals.badLines]);

  it('yields the same points for any chunks', () => {
    const bytes = Buffer.from(TEXT);
    const whole = summary(read(bytes));
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const reader = new GraphiteReader();
        const bounds = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (let i = 1; i < bounds.length; i++) {
          reader.push(bytes.subarray(bounds[i - 1], bounds[i]), parseLimits(NOW));
        }
        expect(summary(reader.take())).toEqual(whole);
      }),
      { seed: 71, numRuns: 300 },
    );
  });

  it('keeps an incomplete line until its end arrives', () => {
    const reader = new GraphiteReader();
    reader.push(Buffer.from('a 1\nb 2'), parseLimits(NOW));
    expect(points(reader.take()[0]!)).toEqual(['a@0=1']);
    expect(reader.pending).toBe(0);
    reader.push(Buffer.from('5\n'), parseLimits(NOW));
    expect(reader.pending).toBe(1);
    expect(points(reader.take()[0]!)).toEqual(['b@0=25']);
  });

  it('does not store a last line that may be truncated', () => {
    const reader = new GraphiteReader();
    reader.push(Buffer.from(`${TOKEN}.a 12`), parseLimits(NOW));
    reader.end(parseLimits(NOW));
    const [batch] = reader.take() as [GraphiteBatch];
    expect(batch.token).toBe(TOKEN);
    expect(Object.fromEntries(batch.refusals.metrics)).toEqual({ 'a 12': { bad_timestamp: 1 } });
    reader.end(parseLimits(NOW));
    expect(reader.take()).toEqual([]);
  });

  it('handles any bytes and counts every line', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), (chunks) => {
        const reader = new GraphiteReader();
        for (const chunk of chunks) reader.push(chunk, parseLimits(NOW));
        reader.push(Buffer.from('\n'), parseLimits(NOW));
        const { pending } = reader;
        const batches = reader.take();
        const counted = batches.reduce((sum, { batch, refusals }) => sum + batch.count + refusals.total, 0);
        const isBlank = (line: string): boolean => /^[ \t\r]*$/.test(line);
        const lines = Buffer.concat(chunks).toString('latin1').split('\n');
        expect(counted).toBe(lines.filter((line) => !isBlank(line)).length);
        expect(pending).toBe(counted);
        for (const { batch } of batches) expect(batch.values.every(Number.isFinite)).toBe(true);
      }),
      { seed: 72, numRuns: 500 },
    );
  });

  it('handles mutated lines', () => {
    const valid = Buffer.from(TEXT);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        fc.nat(valid.length),
        (mutations, cut) => {
          const bytes = Buffer.from(valid);
          for (const [at, byte] of mutations) bytes[at] = byte;
          const reader = new GraphiteReader();
          reader.push(bytes.subarray(cut), parseLimits(NOW));
          reader.push(bytes.subarray(0, cut), parseLimits(NOW));
          for (const { batch } of reader.take()) expect(batch.values.every(Number.isFinite)).toBe(true);
        },
      ),
      { seed: 73, numRuns: 500 },
    );
  });
});
