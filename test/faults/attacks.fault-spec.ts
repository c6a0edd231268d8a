import { execFile, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Ledger, pause } from '../support/ledger.js';
import { endProgram, startProgram } from '../support/programs.js';
import { balance, IS_SHORT, NOTHING_WRONG, type ProductUnderFault, startUnderFault } from './faults.js';

const BENCH = resolve(import.meta.dirname, '../../bench/neighbours');
const HEAP_MIB = 512;
/** Heap, young generation, code, worker threads with their own heaps, and memory outside of heaps. */
const MAX_RESIDENT_MIB = 2048;
const ATTACK_SECONDS = IS_SHORT ? 20 : 120;

describe('a product with a heap of 512 MiB under six concurrent attacks of one tenant', () => {
  let subject: ProductUnderFault;
  let ledger: Ledger;
  let attackers: ChildProcess;
  let pid: number;

  beforeAll(async () => {
    subject = await startUnderFault({ NODE_OPTIONS: `--max-old-space-size=${String(HEAP_MIB)}` });
    const { url, dataFolder } = subject.product;
    pid = subject.product.pid();
    const { stdout } = await promisify(execFile)(process.execPath, [`${BENCH}/tenants.mjs`, url, dataFolder]);
    const { attacker } = JSON.parse(stdout) as { attacker: object };
    ledger = subject.send({ prefix: 'quiet', pauseMs: 200 });
    const args = [`${BENCH}/attacker.mjs`, 'all', JSON.stringify(attacker)];
    attackers = startProgram(process.execPath, args, { stdio: 'ignore' });
  }, 300_000);

  afterAll(async () => {
    await endProgram(attackers, { signal: 'SIGKILL' });
    await subject.dispose();
  }, 120_000);

  it('keeps answering another tenant', async () => {
    const until = Date.now() + ATTACK_SECONDS * 1000;
    for (let reads = 0; Date.now() < until; reads++) {
      // Throws unless the answer is a success.
      await subject.product.api('/anomalies?limit=20', subject.readToken);
      await subject.product.api('/metrics?limit=20', subject.readToken);
      await pause(200);
    }
    await ledger.progress(10);
    expect([subject.product.isRunning(), subject.product.pid()]).toEqual([true, pid]);
  }, 600_000);

  it('stays within its memory limit', async () => {
    const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
    const mostResident = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    expect(mostResident).toBeLessThan(MAX_RESIDENT_MIB);
  });

  it('has lost no data of the other tenant after the attack', async () => {
    await endProgram(attackers, { signal: 'SIGKILL' });
    await expect(balance(ledger, subject.readToken)).resolves.toEqual(NOTHING_WRONG);
    expect((await subject.product.readiness())?.status).toBe(200);
  }, 600_000);
});
