import { startLoader } from './loader.mjs';
import { until } from './until.mjs';

const MINUTE = 60;

/** Tokens of all kinds that a mode needs. */
export async function createTokens(product) {
  return { ingest: await product.createToken(['ingest']), read: await product.createToken(['read']) };
}

const target = (product, tokens, query) => ({
  url: `${product.url}/write?precision=s${query}`,
  headers: { 'Content-Type': 'text/plain', 'X-Auth-Token': tokens.ingest },
});

/** Sends this many rounds of history up to the minute before now, and waits until all of it is scored. */
export async function sendHistory(product, tokens, { series, rounds, seed }) {
  const firstTimestamp = (Math.floor(Date.now() / 1000 / MINUTE) - rounds - 1) * MINUTE;
  const loader = await startLoader({
    ...target(product, tokens, '&backfill=true'),
    ...{ series, seed, firstTimestamp, maxRounds: rounds, variants: variantsFor(series) },
  });
  const before = await product.telemetry('plumbline_detection_points_total');
  const sent = await loader.run();
  await awaitScored(product, before + sent.acknowledged);
  return sent;
}

/** A sender of live points at a constant rate, in ten bodies per second. */
export function startPaced(product, tokens, { series, pointsPerSecond, seconds = null, seed }) {
  return startLoader({
    ...target(product, tokens, ''),
    ...{ series, seed, seconds, pointsPerSecond, variants: variantsFor(series) },
    bodyPoints: Math.max(1, Math.round(pointsPerSecond / 10)),
  });
}

/** Sends one point of each of this many new series, as fast as they are accepted. */
export function startNew(product, tokens, { series, firstSeries, bodyPoints, seed }) {
  return startLoader({
    ...target(product, tokens, ''),
    ...{ series, firstSeries, bodyPoints, seed, maxRounds: 1, variants: 1 },
  });
}

export async function awaitScored(product, points, timeoutMs = 1_800_000) {
  await until(
    `${points} points to be scored`,
    async () => ((await product.telemetry('plumbline_detection_points_total')) >= points ? true : undefined),
    { timeoutMs, everyMs: 200 },
  );
}

/** Limits the bodies of the sender to some hundred megabytes. */
const variantsFor = (series) => Math.max(2, Math.min(64, Math.floor(1_000_000 / series)));
