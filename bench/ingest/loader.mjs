import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('loader-process.mjs', import.meta.url));

const DEFAULTS = {
  headers: {},
  series: 10_000,
  /** Index of the first series. */
  firstSeries: 0,
  bodyPoints: 5000,
  connections: 2,
  variants: 64,
  seed: 1,
  /** Unix seconds of the first round; null: the time of sending. */
  firstTimestamp: null,
  /** Seconds between rounds. */
  step: 60,
  maxRounds: Number.MAX_SAFE_INTEGER,
  /** How long to send; null: until `maxRounds`. */
  seconds: null,
  /** Null: as fast as the server accepts them. */
  pointsPerSecond: null,
  /** Milliseconds before a refused body is sent again; null: as requested by the server. */
  retryMs: null,
};

/**
 * Starts a sender process; resolves when its bodies are built.
 * @param plan `url` (with query), and values that differ from DEFAULTS
 */
export async function startLoader(plan) {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let latest = { acknowledged: 0 };
  const outcome = new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message.type === 'progress') latest = message;
      if (message.type === 'done') resolve(message);
      if (message.type === 'failed') reject(new Error(message.message));
    });
    child.once('exit', (code) => reject(new Error(`The loader ended with ${code}`)));
  });
  outcome.catch(() => undefined);
  const ready = new Promise((resolve, reject) => {
    child.on('message', (message) => (message.type === 'ready' ? resolve() : undefined));
    outcome.catch(reject);
  });
  child.send({ type: 'plan', plan: { ...DEFAULTS, ...plan } });
  await ready;
  return {
    pid: child.pid,
    /** Begins to send; resolves when everything is sent, with the message `done` of loader-process.mjs. */
    run() {
      child.send({ type: 'go' });
      return outcome;
    },
    /** Ends the run early; pending requests are completed. */
    stop: () => child.connected && child.send({ type: 'stop' }),
    latest: () => latest,
    kill: () => child.kill('SIGKILL'),
  };
}
