/**
 * Measures how many new series per second are accepted and analysed, and the effect on known series. A sender of known
 * series sends at a constant rate, first alone and then next to a sender whose points each belong to a new series.
 */
import { awaitScored, createTokens, sendHistory, startNew, startPaced } from '../population.mjs';
import { watchProcesses } from '../processes.mjs';
import { startProduct } from '../product.mjs';

const KNOWN_SERIES = 20_000;
const KNOWN_PER_SECOND = 10_000;
const ALONE_SECONDS = 10;

export async function run({ dist, profileFolder, series, bodyPoints, seed, isQuick }) {
  const product = await startProduct({ dist, profileFolder });
  try {
    const tokens = await createTokens(product);
    const known = isQuick ? KNOWN_SERIES / 10 : KNOWN_SERIES;
    await sendHistory(product, tokens, { series: known, rounds: 2, seed });
    const alone = await paceOf(product, tokens, known, seed, ALONE_SECONDS);

    const before = await product.telemetry('plumbline_detection_points_total');
    const beside = await startPaced(product, tokens, { series: known, pointsPerSecond: KNOWN_PER_SECOND, seed });
    const loader = await startNew(product, tokens, { series, firstSeries: known, bodyPoints, seed });
    const watch = watchProcesses(product.pid);
    try {
      const pacing = beside.run();
      watch.reset();
      const sent = await loader.run();
      const sentSeconds = (sent.ended - sent.began) / 1000;
      beside.stop();
      const paced = await pacing;
      await awaitScored(product, before + sent.acknowledged + paced.acknowledged);
      const wholeSeconds = (performance.timeOrigin + performance.now() - sent.began) / 1000;
      return {
        name: 'names',
        points: sent.acknowledged,
        sentSeconds,
        wholeSeconds,
        perSecond: sent.acknowledged / sentSeconds,
        requestMs: sent.latencies,
        knownMs: { alone: alone.latencies, beside: paced.latencies },
        busyAnswers: sent.busy,
        failures: sent.failures,
        cpuSeconds: watch.cpu(),
        mostBytes: Math.max(...watch.memory().map(({ bytes }) => bytes)),
      };
    } finally {
      watch.stop();
      loader.kill();
      beside.kill();
    }
  } finally {
    await product.dispose();
  }
}

async function paceOf(product, tokens, series, seed, seconds) {
  const loader = await startPaced(product, tokens, { series, pointsPerSecond: KNOWN_PER_SECOND, seed, seconds });
  try {
    return await loader.run();
  } finally {
    loader.kill();
  }
}
