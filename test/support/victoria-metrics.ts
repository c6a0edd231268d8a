import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { until } from './product.js';
import { endProgram, startProgram } from './programs.js';

/** A VictoriaMetrics of its own, single node. */
export interface VictoriaMetrics {
  url: string;
  /** Ends it without a chance to write anything down, and starts it again on what is on disk. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

/** @param folder where it keeps its data; left out, a new one that is removed with it */
export async function startVictoriaMetrics(flags: readonly string[] = [], folder?: string): Promise<VictoriaMetrics> {
  const data = folder ?? (await mkdtemp(join(tmpdir(), 'plumbline-vm-')));
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const given = [
      `-storageDataPath=${join(data, 'data')}`,
      `-httpListenAddr=127.0.0.1:${String(port)}`,
      '-retentionPeriod=100y',
      '-loggerLevel=ERROR',
      ...flags,
    ];
    child = startProgram('victoria-metrics', given, { stdio: 'ignore' });
    await until('VictoriaMetrics to answer', async () => (await fetch(`${url}/health`)).ok);
  };
  await start();
  return {
    url,
    start,
    kill: async () => void (await endProgram(child, { signal: 'SIGKILL' })),
    stop: async () => void (await endProgram(child)),
    dispose: async () => {
      await endProgram(child);
      if (folder === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}
