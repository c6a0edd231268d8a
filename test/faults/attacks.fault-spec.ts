import { type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';
import { balance, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const ATTACKER = resolve(import.meta.dirname, '../../bench/neighbours/attacker.mjs');
const ATTACKS = [
  'large ingest bodies',
  'slow open bodies',
  'pictures',
  'expected ranges',
  'heavy reads',
  'searches and log-ins',
];
const HEAP_MEGABYTES = 512;
/** Pieces of work of each queue after which the attacks have had their try. */
const WORK = { database: 1000, series: 300, 'ingest bodies': 20, pictures: 30, replays: 30 };

describe('a product with little memory under all attacks at once', () => {
  let subject: ProductUnderFault;
  let attackers: ChildProcess[] = [];

  beforeAll(async () => {
    subject = await startUnderFault({
      NODE_OPTIONS: `--max-old-space-size=${String(HEAP_MEGABYTES)}`,
      PLUMBLINE_LIMIT_PICTURES: '1000000',
    });
    const token = await subject.product.createToken(['ingest', 'read']);
    const now = Math.floor(Date.now() / 60_000) * 60;
    const timestamps = Array.from({ length: 10_000 }, (_, i) => now - (10_000 - i) * 60);
    const values = timestamps.map((time) => time % 97);
    for (let i = 0; i < 10; i++) {
      const answer = await fetch(`${subject.product.url}/ingest/metrics`, {
        method: 'POST',
        headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          backfill: true,
          metrics: [{ metric: `history.series-${String(i)}`, timestamps, values }],
        }),
      });
      expect(answer.status).toBe(204);
    }
    const target = JSON.stringify({ url: subject.product.url, token, now });
    attackers = ATTACKS.map((attack) =>
      startProgram(process.execPath, [ATTACKER, attack, target], { stdio: 'ignore' }),
    );
  }, 240_000);

  afterAll(async () => {
    await end();
    await subject.dispose();
  }, 120_000);

  async function end(): Promise<void> {
    await Promise.all(attackers.map((attacker) => endProgram(attacker, { signal: 'SIGKILL' })));
  }

  async function begun(): Promise<Record<string, number>> {
    const text = await (await fetch(`${subject.product.managementUrl}/metrics`)).text();
    const figures = text.matchAll(/^plumbline_turns_total\{queue="([^"]+)",outcome="begun"\} (\d+)$/gm);
    return Object.fromEntries([...figures].map(([, queue, count]) => [queue!, Number(count)]));
  }

  it('does not end, and takes points as ever when they are over', async () => {
    await until(
      'the attacks to have had their try',
      async () => {
        const done = await begun();
        return Object.entries(WORK).every(([queue, count]) => done[queue]! >= count) ? true : undefined;
      },
      { timeoutMs: 600_000, everyMs: 500 },
    );
    expect(subject.product.isRunning()).toBe(true);
    await end();
    const ledger = subject.send({ prefix: 'after' });
    await ledger.progress(50, 300_000);
    expect(await balance(ledger, subject.readToken)).toMatchObject({ ...NOTHING_WRONG, anomalies: [] });
    expect(subject.product.isRunning()).toBe(true);
  }, 900_000);
});
