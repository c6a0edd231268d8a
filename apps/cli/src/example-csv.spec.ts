import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runCli } from './cli.js';
import { EXAMPLE_INCIDENTS, exampleCsv } from './testing/example-csv.js';
import { recordingTerminal } from './testing/recording-terminal.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILE = 'docs/examples/latency.csv';

describe('the example file of plumbline detect', () => {
  it('equals the output of npm run example:csv', async () => {
    expect(await readFile(join(ROOT, FILE), 'utf8')).toBe(exampleCsv());
  });

  it('is used by the command in the README', async () => {
    expect(await readFile(join(ROOT, 'README.md'), 'utf8')).toContain(`npx plumbline detect ${FILE} --plot out.png`);
  });

  it('has one anomaly in each incident, and no others', async () => {
    const { terminal, written } = recordingTerminal();
    expect(await runCli(['detect', join(ROOT, FILE), '--json'], terminal)).toBe(0);
    const { anomalies } = JSON.parse(written.out) as { anomalies: { timestamp: number }[] };
    const found = anomalies.map(({ timestamp }) => timestamp);
    expect(EXAMPLE_INCIDENTS).toHaveLength(2);
    expect(found).toHaveLength(EXAMPLE_INCIDENTS.length);
    EXAMPLE_INCIDENTS.forEach(({ from, until }, at) => {
      expect(found[at]).toBeGreaterThanOrEqual(from);
      expect(found[at]).toBeLessThan(until);
    });
  });
});
