/**
 * Measures everyday load: every series sends a point a minute, evenly distributed. How soon is an anomaly readable, and
 * how much processor time and memory does that take?
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Outbursts } from '../outbursts.mjs';
import { createTokens, sendHistory, startPaced } from '../population.mjs';
import { watchProcesses } from '../processes.mjs';
import { startProduct } from '../product.mjs';
import { quantiles } from '../quantiles.mjs';

/** The expected range of a series is known after a hundred points. */
const HISTORY_ROUNDS = 110;
const SECONDS_PER_OUTBURST = 4;
const LAG_EVERY_MS = 2000;

export async function run({ dist, profileFolder, series, seconds, seed, isQuick }) {
  const product = await startProduct({ dist, profileFolder });
  try {
    const tokens = await createTokens(product);
    const outbursts = new Outbursts(product, tokens, Math.max(5, Math.floor(seconds / SECONDS_PER_OUTBURST)));
    await sendHistory(product, tokens, { series, seed, rounds: isQuick ? 3 : HISTORY_ROUNDS });
    await outbursts.warmUp();
    const pointsPerSecond = series / 60;
    const loader = await startPaced(product, tokens, { series, pointsPerSecond, seed, seconds });
    const watch = watchProcesses(product.pid);
    const lags = watchLag(product);
    try {
      watch.reset();
      const sending = loader.run();
      await outbursts.run(seconds);
      const sent = await sending;
      const cpuSeconds = watch.cpu();
      const memory = watch.memory();
      return {
        name: 'steady',
        series,
        points: sent.acknowledged,
        seconds: (sent.ended - sent.began) / 1000,
        pointsPerSecond,
        anomalyMs: quantiles(outbursts.latencies),
        anomalies: outbursts.latencies.length,
        missingAnomalies: outbursts.missing,
        requestMs: sent.latencies,
        busyAnswers: sent.busy,
        failures: sent.failures,
        cpuSeconds,
        cores: sum(cpuSeconds) / ((sent.ended - sent.began) / 1000),
        mostBytes: Math.max(...memory.map(({ bytes }) => bytes)),
        memory,
        lagSeconds: { first: quantiles(half(lags.values, 0)), second: quantiles(half(lags.values, 1)) },
      };
    } finally {
      lags.stop();
      watch.stop();
      loader.kill();
    }
  } finally {
    await product.dispose();
  }
}

const sum = (parts) => Object.values(parts).reduce((total, seconds) => total + seconds, 0);

/** First or second half of a list. */
const half = (values, which) => values.slice(...(which === 0 ? [0, values.length >> 1] : [values.length >> 1]));

/** Samples the lag of detection. */
function watchLag(product) {
  const values = [];
  let isOver = false;
  void (async () => {
    while (!isOver) {
      values.push(await product.telemetry('plumbline_detection_lag_seconds').catch(() => NaN));
      await pause(LAG_EVERY_MS);
    }
  })();
  return { values, stop: () => (isOver = true) };
}
