/**
 * Measures how fast the API answers while points arrive: a week of a metric, the expected range of a day, metrics by
 * chips.
 */
import { createTokens, sendHistory, startPaced } from '../population.mjs';
import { startProduct } from '../product.mjs';
import { quantiles } from '../quantiles.mjs';
import { until } from '../until.mjs';

const MINUTE = 60;
const DAY = 86_400;
const POINTS_PER_SECOND = 10_000;
const LONG_SERIES = 20;
const WEEK_SLOTS = 10_080;
/** An answer may have ten thousand points, slightly less than a week. */
const MAX_POINTS = 9990;
const LONG_NAME = (index) => `reads.series-${index}`;

export async function run({ dist, profileFolder, series, seconds, seed }) {
  const product = await startProduct({ dist, profileFolder });
  try {
    const tokens = await createTokens(product);
    await sendHistory(product, tokens, { series, seed, rounds: 1 });
    const now = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;
    const first = now - WEEK_SLOTS * MINUTE + 2 * MINUTE;
    await sendWeeks(product, tokens, first);
    const loader = await startPaced(product, tokens, { series, pointsPerSecond: POINTS_PER_SECOND, seed });
    const sending = loader.run();
    sending.catch(() => undefined);
    try {
      const kinds = [
        {
          name: 'timeseries of 7 days',
          path: (i) => `/metric/${LONG_NAME(i % LONG_SERIES)}/timeseries?from=${now - 7 * DAY}&max_points=2000`,
          isRight: ({ points }) => points.length > 1000,
        },
        {
          name: 'timeseries of 7 days, every slot',
          path: (i) =>
            `/metric/${LONG_NAME(i % LONG_SERIES)}/timeseries?from=${now - MAX_POINTS * MINUTE}&max_points=10000&resolution=60`,
          isRight: ({ points }) => points.length > 9000,
        },
        {
          name: 'yhat of 24 hours',
          // A different window each time, so that no answer is cached.
          path: (i) =>
            `/metric/${LONG_NAME(i % LONG_SERIES)}/yhat?from=${now - DAY - i * MINUTE}&until=${now - i * MINUTE}`,
          isRight: ({ available }) => available,
        },
        {
          name: `metrics by chips, of ${series}`,
          path: (i) => `/metrics?limit=20&chips=${chipsOf(i, series)}`,
          isRight: ({ total }) => total > 0,
        },
        {
          name: `search, of ${series}`,
          path: (i) =>
            `/metrics/search?q=web-${String((i * 7919) % series)
              .padStart(6, '0')
              .slice(0, 5)}`,
          isRight: ({ total }) => total > 0,
        },
      ];
      const results = [];
      for (const kind of kinds) results.push(await measure(product, tokens, kind, seconds));
      loader.stop();
      const sent = await sending;
      return results.map((result) => ({ ...result, incoming: sent.acknowledged / ((sent.ended - sent.began) / 1000) }));
    } finally {
      loader.kill();
    }
  } finally {
    await product.dispose();
  }
}

/** Chips that select one metric, some, or a quarter of all. */
function chipsOf(index, series) {
  const host = String((index * 7919) % series).padStart(6, '0');
  return ['region:eu-west', `host:web-${host}`, `web-${host.slice(0, 4)},us-east`, 'bench_cpu,ap-south'][index % 4];
}

async function measure(product, tokens, { name, path, isRight }, seconds) {
  const times = [];
  const deadline = performance.now() + 1000 * seconds;
  for (let i = 0; performance.now() < deadline; i++) {
    const began = performance.now();
    const answer = await product.call(path(i), { token: tokens.read });
    times.push(performance.now() - began);
    if (!isRight(answer)) throw new Error(`${path(i)} answered ${JSON.stringify(answer).slice(0, 500)}`);
  }
  return { name, requests: times.length, ms: quantiles(times) };
}

async function sendWeeks(product, tokens, first) {
  const timestamps = Array.from({ length: WEEK_SLOTS - 3 }, (_, i) => first + i * MINUTE);
  for (let index = 0; index < LONG_SERIES; index++) {
    const values = timestamps.map((timestamp, i) => {
      const wave = 40 * Math.sin((2 * Math.PI * (timestamp % DAY)) / DAY);
      return Math.round(100 * (100 + wave + 4 * Math.sin(i * 12.9898 + index))) / 100;
    });
    const answer = await fetch(`${product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': tokens.ingest },
      body: JSON.stringify({ metrics: [{ metric: LONG_NAME(index), timestamps, values }], backfill: true }),
    });
    if (answer.status !== 204)
      throw new Error(`A week of points was answered ${answer.status}: ${await answer.text()}`);
  }
  await until(
    'the weeks to be stored',
    async () => {
      const path = `/metric/${LONG_NAME(LONG_SERIES - 1)}/timeseries?from=${timestamps.at(-1) - MINUTE}`;
      const { points } = await product.call(path, { token: tokens.read });
      return points.some(([, value]) => value !== null) ? true : undefined;
    },
    { timeoutMs: 120_000 },
  );
}
