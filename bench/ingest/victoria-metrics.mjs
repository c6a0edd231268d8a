import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { until } from './until.mjs';

const PROGRAM = 'victoria-metrics';

/**
 * The yardstick: VictoriaMetrics from Debian (scripts/install-test-services.sh) with its data in a temporary folder.
 */
export async function startVictoriaMetrics() {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-yardstick-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(
    PROGRAM,
    [`-storageDataPath=${folder}`, `-httpListenAddr=${new URL(url).host}`, '-retentionPeriod=5y', '-loggerLevel=ERROR'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  let failure;
  child.once('error', (error) => (failure = error));
  await until('VictoriaMetrics to listen', async () => {
    if (failure)
      throw new Error(`${PROGRAM} cannot be started: bash scripts/install-test-services.sh`, { cause: failure });
    return (await fetch(`${url}/health`)).ok ? true : undefined;
  });
  return {
    url,
    pid: child.pid,
    /** Points between two times that a query finds for a series. */
    async countPoints(name, from, to) {
      await fetch(`${url}/internal/force_flush`);
      const query = new URLSearchParams({ 'match[]': name, start: String(from), end: String(to) });
      const text = await (await fetch(`${url}/api/v1/export?${query}`)).text();
      return text
        .split('\n')
        .filter((line) => line !== '')
        .reduce((sum, line) => sum + JSON.parse(line).values.length, 0);
    },
    async dispose() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
