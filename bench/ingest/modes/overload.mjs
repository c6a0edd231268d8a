/**
 * Senders send more than the machine can accept, and do not wait when they are asked to: memory must stay bounded, they
 * must be answered 429, and all acknowledged points must be readable in the end.
 */
import { watchProcesses } from '../processes.mjs';
import { startLoader } from '../loader.mjs';
import { startProduct } from '../product.mjs';
import { awaitReadable, HISTORY_ENV, HISTORY_SECONDS, productTarget } from '../throughput.mjs';

const MINUTE = 60;
const CONNECTIONS = 8;
/**
 * Far less than the default, so that a lead of a few seconds over the detector suffices for refusals: a sender that
 * waits for its answers is not much faster than the detector.
 */
const BACKLOG_ENV = { PLUMBLINE_INGEST_BACKLOG_POINTS: '2000000' };
/** A refused body is sent again after this time, whatever Retry-After is. */
const RETRY_MS = 100;

export async function run({ dist, profileFolder, series, seconds, bodyPoints, seed }) {
  const product = await startProduct({ dist, env: { ...HISTORY_ENV, ...BACKLOG_ENV }, profileFolder });
  try {
    const target = await productTarget(product, '&backfill=true');
    const first = Math.floor((Date.now() / 1000 - HISTORY_SECONDS) / MINUTE) * MINUTE;
    const loader = await startLoader({
      ...{ url: target.url, headers: target.headers, series, seconds, seed, firstTimestamp: first },
      ...{ connections: CONNECTIONS, retryMs: RETRY_MS, maxRounds: HISTORY_SECONDS / MINUTE },
      bodyPoints: Math.min(bodyPoints, Math.ceil(series / CONNECTIONS)),
    });
    const watch = watchProcesses(product.pid, { memoryEveryMs: 1000 });
    try {
      const sent = await loader.run();
      const whileSending = watch.memory().slice();
      const backlogged = await product.telemetry('plumbline_detection_points_total');
      await target.awaitPoints(sent.acknowledged, 1_800_000);
      await awaitReadable(target, first, sent, 600_000);
      const drained = performance.timeOrigin + performance.now();
      return {
        name: 'overload',
        points: sent.acknowledged,
        seconds: (sent.ended - sent.began) / 1000,
        acceptedPerSecond: (1000 * sent.acknowledged) / (sent.ended - sent.began),
        pointsPerSecond: (1000 * sent.acknowledged) / (drained - sent.began),
        busyAnswers: sent.busy,
        requests: sent.requests,
        failures: sent.failures,
        behindPoints: Math.max(0, sent.acknowledged - backlogged),
        catchUpSeconds: (drained - sent.ended) / 1000,
        gibibytes: {
          firstThird: most(whileSending.slice(0, Math.ceil(whileSending.length / 3))),
          lastThird: most(whileSending.slice(-Math.ceil(whileSending.length / 3))),
          most: most(watch.memory()),
        },
        memory: watch.memory(),
      };
    } finally {
      watch.stop();
      loader.kill();
    }
  } finally {
    await product.dispose();
  }
}

const most = (samples) => Math.max(...samples.map(({ bytes }) => bytes)) / 2 ** 30;
