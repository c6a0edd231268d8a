/** Measures how soon after a start a point is judged again: after a clean stop, and after a kill under load. */
import { setTimeout as pause } from 'node:timers/promises';
import { Outbursts } from '../outbursts.mjs';
import { createTokens, sendHistory, startPaced } from '../population.mjs';
import { startProduct } from '../product.mjs';
import { until } from '../until.mjs';

const HISTORY_ROUNDS = 110;
/** Longer than the time between checkpoints. */
const LIVE_SECONDS = 90;
const QUICK_LIVE_SECONDS = 5;

export async function run({ dist, profileFolder, series, seed, isQuick }) {
  const product = await startProduct({ dist, profileFolder });
  try {
    const tokens = await createTokens(product);
    await sendHistory(product, tokens, { series, seed, rounds: isQuick ? 3 : HISTORY_ROUNDS });
    const outbursts = new Outbursts(product, tokens, 2);
    await outbursts.warmUp();
    const results = [];
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      const loader = await startPaced(product, tokens, { series, pointsPerSecond: series / 60, seed });
      const sending = loader.run().catch(() => undefined);
      await pause(1000 * (isQuick ? QUICK_LIVE_SECONDS : LIVE_SECONDS));
      loader.stop();
      await sending;
      const stopping = performance.now();
      await product.stop(signal);
      const began = performance.now();
      await product.start();
      const listening = performance.now();
      // Starts when the process listens; an outburst is sent until it is accepted, and queried until it is found.
      const anomaly = outbursts.burst(100);
      await until('the product to be ready', product.isReady, { timeoutMs: 600_000 });
      const ready = performance.now();
      const found = await anomaly;
      results.push({
        name: signal,
        series,
        stopSeconds: (began - stopping) / 1000,
        listeningSeconds: (listening - began) / 1000,
        readySeconds: (ready - began) / 1000,
        scoringSeconds: found === null ? null : (listening - began + found) / 1000,
      });
    }
    return results;
  } finally {
    await product.dispose();
  }
}
