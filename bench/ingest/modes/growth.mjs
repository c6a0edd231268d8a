/**
 * Measures how the cost of a point and of a series grows with their number. For each size there is a separate product,
 * in which every series is new at first and then sends a point a minute. Also measures whether the points of a minute
 * are analysed within that minute, and how fast the first pages of the console are answered meanwhile.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Outbursts } from '../outbursts.mjs';
import { awaitScored, createTokens, startNew, startPaced } from '../population.mjs';
import { watchProcesses } from '../processes.mjs';
import { startProduct } from '../product.mjs';
import { quantiles } from '../quantiles.mjs';

/** Shares of `series`: 10,000, 100,000, 500,000 and 1,000,000 by default. */
const PARTS = [0.01, 0.1, 0.5, 1];
const MINUTE = 60;
const SECONDS_PER_OUTBURST = 4;
const LOOK_EVERY_MS = 1000;
/** The requests of the first pages of the console. */
const PAGES = ['/metrics?limit=50', '/anomalies?limit=20', '/metrics/mostanomalous?limit=10'];

export async function run(options) {
  const sizes = [];
  for (const part of PARTS) sizes.push(await measure({ ...options, series: Math.round(options.series * part) }));
  return { name: 'growth', sizes };
}

async function measure({ dist, profileFolder, series, seconds, bodyPoints, seed }) {
  const product = await startProduct({ dist, profileFolder });
  const watch = watchProcesses(product.pid);
  const senders = [];
  const started = async (loader) => {
    senders.push(await loader);
    return senders.at(-1);
  };
  try {
    const tokens = await createTokens(product);
    const outbursts = new Outbursts(product, tokens, Math.max(2, Math.floor(seconds / SECONDS_PER_OUTBURST)));
    await outbursts.warmUp();
    const idleBytes = newest(watch);
    const names = await firstSight(
      product,
      watch,
      await started(startNew(product, tokens, { series, firstSeries: 0, bodyPoints, seed })),
    );
    // Work that the first points have caused must be done before the points of each minute are measured.
    await pause(Math.min(MINUTE, seconds) * 1000);

    const before = await product.telemetry('plumbline_detection_points_total');
    const missesBefore = await product.telemetry('plumbline_ingest_name_misses_total');
    const loader = await started(
      startPaced(product, tokens, { series, pointsPerSecond: series / MINUTE, seed, seconds }),
    );
    const reads = readPages(product, tokens);
    watch.reset();
    const sending = loader.run();
    const behind = watchBacklog(product, loader, before);
    await outbursts.run(seconds);
    const sent = await sending;
    const cpuSeconds = watch.cpu();
    behind.stop();
    await reads.stop();
    await awaitScored(product, before + sent.acknowledged);
    return {
      series,
      names,
      points: sent.acknowledged,
      seconds: (sent.ended - sent.began) / 1000,
      catchUpSeconds: (performance.timeOrigin + performance.now() - sent.ended) / 1000,
      mostBehind: Math.max(0, ...behind.values),
      anomalyMs: quantiles(outbursts.latencies),
      missingAnomalies: outbursts.missing,
      pageMs: Object.fromEntries(Object.entries(reads.times).map(([page, times]) => [page, quantiles(times)])),
      nameMisses: (await product.telemetry('plumbline_ingest_name_misses_total')) - missesBefore,
      failures: sent.failures,
      cpuSeconds,
      idleBytes,
      mostBytes: Math.max(...watch.memory().map(({ bytes }) => bytes)),
      bytes: newest(watch),
    };
  } finally {
    watch.stop();
    for (const sender of senders) sender.kill();
    await product.dispose();
  }
}

async function firstSight(product, watch, loader) {
  const before = await product.telemetry('plumbline_detection_points_total');
  watch.reset();
  const sent = await loader.run();
  await awaitScored(product, before + sent.acknowledged);
  return {
    perSecond: sent.acknowledged / ((sent.ended - sent.began) / 1000),
    wholeSeconds: (performance.timeOrigin + performance.now() - sent.began) / 1000,
    cpuSeconds: watch.cpu(),
  };
}

const newest = (watch) => watch.memory().at(-1).bytes;

/** Acknowledged points that are not analysed yet, sampled once a second. */
function watchBacklog(product, loader, before) {
  const values = [];
  const timer = setInterval(() => {
    const { acknowledged } = loader.latest();
    product
      .telemetry('plumbline_detection_points_total')
      .then((scored) => values.push(acknowledged - (scored - before)))
      .catch(() => undefined);
  }, LOOK_EVERY_MS);
  return { values, stop: () => clearInterval(timer) };
}

/** Requests one page after the other, a page a second. */
function readPages(product, tokens) {
  const times = Object.fromEntries(PAGES.map((page) => [page, []]));
  let isOver = false;
  const reading = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const page = PAGES[turn % PAGES.length];
      const from = performance.now();
      await product.call(page, { token: tokens.read });
      times[page].push(performance.now() - from);
      await pause(LOOK_EVERY_MS);
    }
  })();
  // Reported when reading is stopped: a page without an answer is a failure of the measurement.
  reading.catch(() => undefined);
  return {
    times,
    stop() {
      isOver = true;
      return reading;
    },
  };
}
