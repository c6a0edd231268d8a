import { createReadStream, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type CsvOptions, parseCsv, parseLimits } from '#libs/protocols';
import { type InputError } from '../cli-error.js';
import { readSeriesCsv } from './read-series-csv.js';
import { inOrderOfTime } from './series-order.js';

const FOLDER = resolve(import.meta.dirname, '../../../../test/golden/csv');
/** 2026-01-01T00:00:00Z */
const START = 1_767_225_600;
const VALUES = [12.5, 13.25, 1005.5, 9];
const DAY = 86_400;

interface Export {
  file: string;
  /** Options that a user has to give for the file, to the server and to the command line. */
  csvOptions?: Partial<CsvOptions>;
  /** Name of the metric on the server. */
  metric: string;
  step?: number;
}

const EXPORTS: Export[] = [
  { file: 'influxdb-1-cli.csv', metric: 'cpu_mean{host="web-1"}' },
  { file: 'influxdb-2-annotated.csv', metric: 'cpu_usage_user{host="web-1"}' },
  { file: 'datadog.csv', csvOptions: { metric: 'cpu.user' }, metric: 'cpu.user' },
  { file: 'grafana.csv', csvOptions: { metric: 'cpu' }, metric: 'cpu' },
  { file: 'grafana-for-excel.csv', metric: 'up{instance="web-1:9100",job="node"}' },
  {
    file: 'excel-german.csv',
    csvOptions: { timeFormat: 'dd.MM.yyyy HH:mm', decimal: ',', timezone: 'Europe/Berlin' },
    metric: 'Umsatz',
  },
  {
    file: 'excel-american.csv',
    csvOptions: { timeFormat: 'M/d/yyyy h:mm a', decimal: '.', timezone: 'America/New_York' },
    metric: 'Revenue',
  },
  { file: 'prometheus.csv', metric: 'http_requests{instance="web-1:9100",job="shop"}' },
  { file: 'warehouse-days.csv', csvOptions: { metric: 'stock' }, metric: 'stock', step: DAY },
];

describe('exports of other programs', () => {
  it.each(EXPORTS.map((row) => [row.file, row] as const))(
    '%s is accepted by the server',
    (_, { file, csvOptions, metric, step }) => {
      const limits = parseLimits(START + 30 * DAY, { backfill: true });
      const options = { metric: null, timezone: 'UTC', ...csvOptions };
      const { batch, refusals } = parseCsv(readFileSync(join(FOLDER, file)), options, limits);
      expect([refusals.total, refusals.badLines]).toEqual([0, []]);
      expect(batch.series.map(({ name }) => name)).toEqual([metric]);
      expect(Array.from(batch.timestamps)).toEqual(VALUES.map((_value, row) => START + row * (step ?? 300)));
      expect(Array.from(batch.values)).toEqual(VALUES);
    },
  );

  it.each(EXPORTS.map((row) => [row.file, row] as const))('%s is accepted by the command line', async (_, row) => {
    const { timezone = 'UTC', timeFormat, decimal } = row.csvOptions ?? {};
    const read = await readSeriesCsv(createReadStream(join(FOLDER, row.file)), {
      source: row.file,
      timezone,
      ...(typeof timeFormat === 'string' ? { timeFormat } : {}),
      ...(decimal === '.' || decimal === ',' ? { decimal } : {}),
    });
    const { timestamps, values } = inOrderOfTime(read).series;
    const rows = Array.from(values.keys()).filter((place) => Number.isFinite(values[place]));
    expect(rows.map((place) => timestamps[place])).toEqual(
      VALUES.map((_value, place) => START + place * (row.step ?? 300)),
    );
    expect(rows.map((place) => values[place])).toEqual(VALUES);
  });

  it.each([
    ['a unit', `${String(START)},10.8 %`],
    ['an ambiguous comma', `${String(START)},"1,5"`],
    ['quotes', `${String(START)},"say ""x"""`],
    ['a long word', `${String(START)},${'x'.repeat(80)}`],
    ['another time format', '31.01.2026 10:00,1'],
    ['a nonexistent day', '2026-02-30,1'],
    ['no time', ',1'],
  ])('%s is reported as the same problem by the server and the command line', async (_, row) => {
    const text = Buffer.from(`time,value\n${row}\n`);
    const options = { metric: 'a', timezone: 'UTC' };
    const [bad] = parseCsv(text, options, parseLimits(START, { backfill: true })).refusals.badLines;
    const rule = await readSeriesCsv(Readable.from([text]), { source: 'a.csv', timezone: 'UTC' }).then(
      () => '',
      (error: unknown) => (error as InputError).rule,
    );
    const problem = rule.replace(/^(?:timestamp|value) /, '').replace('--time-format ', 'time_format=');
    expect(problem.replaceAll('--decimal ', 'decimal=')).toBe(bad!.problem.replace(/^column "\w+": /, ''));
  });
});
