/**
 * Bodies for `npm run bench:protocols`: OTLP as written by a collector, each data point of a different series, with the
 * same bytes in every run. Encoded by hand, so that no encoder has to be shipped.
 */

/** Data points of a body. */
const POINTS = 5_000;
/** Data points per metric; a collector groups them. */
const POINTS_PER_METRIC = 50;

/** Deterministic values with as many digits as real measurements. */
const valueAt = (i) => ((i * 2_654_435_761) % 1_000_003) / 1000;

function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}

function message(field, ...parts) {
  const body = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.from([...varint((field << 3) | 2), ...varint(body.length)]), body]);
}

const text = (field, value) => message(field, Buffer.from(value));

function fixed64(field, value) {
  const bytes = Buffer.alloc(9);
  bytes[0] = (field << 3) | 1;
  bytes.writeBigUInt64LE(value, 1);
  return bytes;
}

function double(field, value) {
  const bytes = Buffer.alloc(9);
  bytes[0] = (field << 3) | 1;
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

const attribute = (field, key, value) => message(field, text(1, key), message(2, text(1, value)));

const nanoseconds = (seconds) => BigInt(seconds) * 1_000_000_000n;

const resource = message(1, attribute(1, 'service.name', 'shop'), attribute(1, 'process.pid', '4711'));

function metrics(make) {
  return Array.from({ length: POINTS / POINTS_PER_METRIC }, (_, metric) =>
    message(
      2,
      text(1, `http.server.requests.${metric}`),
      text(2, 'Requests answered.'),
      text(3, '{request}'),
      ...make(metric),
    ),
  );
}

/** Sums with three attributes each. */
export function otlpBody(now) {
  const scopes = metrics((metric) => {
    const points = Array.from({ length: POINTS_PER_METRIC }, (_, i) =>
      message(
        1,
        fixed64(2, nanoseconds(now - 3600)),
        fixed64(3, nanoseconds(now)),
        double(4, valueAt(metric * POINTS_PER_METRIC + i)),
        attribute(7, 'http.route', `/r/${i}`),
        attribute(7, 'http.request.method', 'GET'),
        attribute(7, 'server.address', `10.0.0.${metric}`),
      ),
    );
    return [message(7, ...points, Buffer.from([0x10, 2, 0x18, 1]))];
  });
  return message(1, resource, message(2, ...scopes));
}

/** Histograms of twelve explicit buckets. */
export function otlpHistogramBody(now) {
  const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
  const packedBounds = message(7, ...bounds.map((bound) => double(0, bound).subarray(1)));
  const scopes = metrics((metric) => {
    const points = Array.from({ length: POINTS_PER_METRIC }, (_, i) =>
      message(
        1,
        fixed64(2, nanoseconds(now - 3600)),
        fixed64(3, nanoseconds(now)),
        fixed64(4, 12n * BigInt(i + 1)),
        double(5, valueAt(i)),
        message(6, ...Array.from({ length: bounds.length + 1 }, () => fixed64(0, BigInt(i + 1)).subarray(1))),
        packedBounds,
        attribute(9, 'http.route', `/r/${i}`),
        attribute(9, 'server.address', `10.0.0.${metric}`),
      ),
    );
    return [message(9, ...points, Buffer.from([0x10, 2]))];
  });
  return message(1, resource, message(2, ...scopes));
}

/** Sums with three attributes each, in JSON. */
export function otlpJsonBody(now) {
  const pair = (key, stringValue) => ({ key, value: { stringValue } });
  const all = Array.from({ length: POINTS / POINTS_PER_METRIC }, (_, metric) => ({
    name: `http.server.requests.${metric}`,
    sum: {
      aggregationTemporality: 2,
      isMonotonic: true,
      dataPoints: Array.from({ length: POINTS_PER_METRIC }, (_point, i) => ({
        timeUnixNano: String(nanoseconds(now)),
        asDouble: valueAt(metric * POINTS_PER_METRIC + i),
        attributes: [
          pair('http.route', `/r/${i}`),
          pair('http.request.method', 'GET'),
          pair('server.address', `10.0.0.${metric}`),
        ],
      })),
    },
  }));
  const attributes = [pair('service.name', 'shop')];
  return Buffer.from(
    JSON.stringify({ resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ metrics: all }] }] }),
  );
}
