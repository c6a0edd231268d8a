/** Throughput of the product and of its yardstick, with the same bodies from the same sender. */
import { metricName, metricNameWithField } from './bodies.mjs';
import { startLoader } from './loader.mjs';
import { watchProcesses } from './processes.mjs';
import { startProduct } from './product.mjs';
import { until } from './until.mjs';
import { startVictoriaMetrics } from './victoria-metrics.mjs';

const MINUTE = 60;
const DAY = 86_400;
/**
 * Age of the first point of a history, and the time for which every slot is kept: no point of a run leaves that tier.
 * The default of seven days contains ten thousand slots per series, which are sent in less than five minutes.
 */
export const HISTORY_SECONDS = 29.5 * DAY;
export const HISTORY_ENV = { PLUMBLINE_TIER_1_DAYS: '30' };
/** An answer of the API has at most 10,000 slots. */
const COUNTED_SECONDS = 9000 * MINUTE;
const WARM_UP_ROUNDS = 20;
const SAMPLES = 20;
/** The rate of the yardstick does not change over time; a longer run would use up the history. */
const YARDSTICK_SECONDS = 60;
/** The points must be readable within this multiple of the time it took to send them. */
const PATIENCE = 20;

/**
 * @param options those of main.mjs
 * @param shape `isHistory`: every round is a minute later, beginning a week ago, so each point is in a separate slot;
 * otherwise all points have the time of sending
 */
export async function measureThroughput(options, shape) {
  const results = [];
  if (!options.noYardstick) results.push(await measureYardstick(options, shape));
  results.push(await measureProduct(options, shape));
  return results;
}

async function measureYardstick(options, shape) {
  const yardstick = await startVictoriaMetrics();
  try {
    const target = {
      pid: yardstick.pid,
      isNode: false,
      url: `${yardstick.url}/write?precision=s`,
      headers: { 'Content-Type': 'text/plain' },
      awaitPoints: () => Promise.resolve(),
      count: (index, from, to) => yardstick.countPoints(metricNameWithField(index), from, to),
    };
    return {
      name: 'VictoriaMetrics',
      ...(await measure(target, { ...options, seconds: Math.min(options.seconds, YARDSTICK_SECONDS) }, shape)),
    };
  } finally {
    await yardstick.dispose();
  }
}

async function measureProduct({ dist, profileFolder, ...options }, shape) {
  const env = shape.isHistory ? HISTORY_ENV : {};
  const product = await startProduct({ dist, env, profileFolder });
  try {
    const target = {
      pid: product.pid,
      ...(await productTarget(product, shape.isHistory ? '&backfill=true' : '')),
    };
    return { name: 'Plumbline', ...(await measure(target, options, shape)) };
  } catch (error) {
    throw new Error(`${error.message}\nLast lines of the product:\n${product.output().slice(-3000)}`, { cause: error });
  } finally {
    await product.dispose();
  }
}

/** The request that sends points, and functions that check its result. */
export async function productTarget(product, query = '') {
  const [ingest, read] = [await product.createToken(['ingest']), await product.createToken(['read'])];
  return {
    url: `${product.url}/write?precision=s${query}`,
    headers: { 'Content-Type': 'text/plain', 'X-Auth-Token': ingest },
    read,
    /** Waits until the detector has processed this many points since the start; they are then about to be stored. */
    async awaitPoints(points, timeoutMs) {
      await until(
        `${points} points to be scored`,
        async () => ((await product.telemetry('plumbline_detection_points_total')) >= points ? true : undefined),
        { timeoutMs, everyMs: 50 },
      );
    },
    async count(index, from, to) {
      const name = encodeURIComponent(metricName(index));
      let count = 0;
      for (let start = from; start < to; start += COUNTED_SECONDS) {
        const window = `from=${start}&until=${Math.min(to, start + COUNTED_SECONDS - 1)}`;
        const path = `/metric/${name}/timeseries?${window}&resolution=60&max_points=10000&fill=none`;
        count += (await product.call(path, { token: read })).points.length;
      }
      return count;
    },
  };
}

async function measure(target, { series, seconds, bodyPoints, connections, seed }, { isHistory }) {
  const plan = { url: target.url, headers: target.headers, series, bodyPoints, connections, seed };
  const first = isHistory ? Math.floor((Date.now() / 1000 - HISTORY_SECONDS) / MINUTE) * MINUTE : null;
  const maxRounds = isHistory ? HISTORY_SECONDS / MINUTE - WARM_UP_ROUNDS : undefined;
  const warmUp = await startLoader({ ...plan, firstTimestamp: first, maxRounds: WARM_UP_ROUNDS });
  const warm = await warmUp.run();
  await target.awaitPoints(warm.acknowledged, 120_000);
  await awaitReadable(target, first, warm, 120_000);

  const began = isHistory ? first + WARM_UP_ROUNDS * MINUTE : null;
  const loader = await startLoader({ ...plan, firstTimestamp: began, seconds, ...(isHistory && { maxRounds }) });
  const watch = watchProcesses(target.pid, { isNode: target.isNode ?? true });
  try {
    watch.reset();
    const sent = await loader.run();
    const sentSeconds = (sent.ended - sent.began) / 1000;
    const timeoutMs = Math.max(60_000, PATIENCE * 1000 * sentSeconds);
    await target.awaitPoints(warm.acknowledged + sent.acknowledged, timeoutMs);
    await awaitReadable(target, began, sent, timeoutMs);
    const wholeSeconds = (performance.timeOrigin + performance.now() - sent.began) / 1000;
    return {
      points: sent.acknowledged,
      sentSeconds,
      wholeSeconds,
      acceptedPerSecond: sent.acknowledged / sentSeconds,
      pointsPerSecond: sent.acknowledged / wholeSeconds,
      requests: sent.requests,
      busyAnswers: sent.busy,
      failures: sent.failures,
      requestMs: sent.latencies,
      cpuSeconds: { ...watch.cpu(), 'load generator': sent.cpuSeconds },
      mostBytes: Math.max(...watch.memory().map(({ bytes }) => bytes)),
    };
  } finally {
    watch.stop();
    loader.kill();
  }
}

/**
 * Waits until some series of every body, including its first and last one, can be read: all acknowledged points of a
 * history, otherwise the slot of the last point.
 * @param began Unix seconds of the first round of a history; null if points had the time of sending
 */
export async function awaitReadable(target, began, sent, timeoutMs) {
  for (const { first, points, rounds } of sent.rounds) {
    if (rounds === 0) continue;
    const perBody = Math.max(2, Math.floor(SAMPLES / sent.rounds.length));
    const step = Math.max(1, Math.floor((points - 1) / (perBody - 1)));
    const from = began ?? Math.floor(sent.began / 1000) - MINUTE;
    // The upper end is inclusive; a window must not be empty.
    const to = began === null ? Math.ceil(sent.ended / 1000) : began + (rounds - 1) * MINUTE + 1;
    for (let index = first; index < first + points; index += step) {
      let found = 0;
      await until(
        `${rounds} points of series ${index}`,
        async () => {
          found = await target.count(index, from, to);
          if (began !== null && found > rounds) {
            throw new Error(`Series ${index} has ${found} points and was sent ${rounds}`);
          }
          return found === rounds || (began === null && found > 0) ? true : undefined;
        },
        { timeoutMs, everyMs: 50 },
      ).catch((error) => {
        throw new Error(`${error.message}; ${found} are readable`, { cause: error });
      });
    }
  }
}
