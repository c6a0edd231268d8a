/**
 * Bodies for `npm run bench:protocols`: remote write as written by a sender with many series, each point of a different
 * series, with the same bytes in every run. Encoded by hand, so that no encoder has to be shipped.
 */

/** Series of a body. */
const SERIES = 5_000;
/** Bodies of different series, sent alternately. */
const BODIES = 2;

export function remoteWriteRounds(now) {
  return rounds((series) => {
    const labels = labelsOf(series).map(([name, value]) =>
      message(1, message(1, Buffer.from(name)), message(2, Buffer.from(value))),
    );
    return message(1, ...labels, message(2, sample(series, now)));
  });
}

export function remoteWrite2Rounds(now) {
  return rounds2((series, symbol) => {
    const refs = labelsOf(series).flatMap(([name, value]) => [...varint(symbol(name)), ...varint(symbol(value))]);
    const metadata = Buffer.from([0x08, 1, 0x18, ...varint(symbol('Requests answered.'))]);
    return [message(1, Buffer.from(refs)), message(2, sample(series, now)), message(5, metadata)];
  });
}

/** Classic histograms with eleven buckets, each of which is a series. */
export function classicHistogramRounds(now) {
  const bounds = ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '+Inf'];
  return rounds2((series, symbol) => {
    const [[, name], ...labels] = labelsOf(Math.floor(series / bounds.length));
    const pairs = [['__name__', `${name}_bucket`], ...labels, ['le', bounds[series % bounds.length]]].flat();
    return [message(1, Buffer.from(pairs.flatMap((text) => varint(symbol(text))))), message(2, sample(series, now))];
  });
}

/** Native histograms of twenty buckets. */
export function nativeHistogramRounds(now) {
  return rounds2((series, symbol) => {
    const pairs = labelsOf(series).flat();
    const deltas = Array.from({ length: 20 }, (_, i) => ((series + i * 7) % 5) * 2 + (i === 0 ? 40 : 0));
    const histogram = [
      Buffer.from([0x08, ...varint(1000 + series), 0x19]),
      double(series / 7),
      Buffer.from([0x20, 6, 0x29]),
      double(1e-9),
      message(11, Buffer.from([0x08, 9, 0x10, 20])),
      message(12, Buffer.from(deltas.flatMap(varint))),
      Buffer.from([0x78, ...varint(now * 1000)]),
    ];
    return [message(1, Buffer.from(pairs.flatMap((text) => varint(symbol(text))))), message(3, ...histogram)];
  });
}

function labelsOf(series) {
  return [
    ['__name__', 'http_requests_total'],
    ['code', '200'],
    ['instance', `10.0.0.${series % 250}:9100`],
    ['job', 'shop'],
    ['route', `/r/${series}`],
  ];
}

function sample(series, now) {
  const value = ((series * 2_654_435_761) % 1_000_003) / 1000;
  return Buffer.concat([Buffer.from([0x09]), double(value), Buffer.from([0x10, ...varint(now * 1000)])]);
}

function rounds(seriesMessage) {
  return Array.from({ length: BODIES }, (_, body) =>
    Buffer.concat(Array.from({ length: SERIES }, (_unused, i) => seriesMessage(body * SERIES + i))),
  );
}

/** Bodies of version 2.0: each begins with its own symbols. */
function rounds2(seriesParts) {
  return Array.from({ length: BODIES }, (_, body) => {
    const symbols = new Map([['', 0]]);
    const symbol = (text) => {
      const known = symbols.get(text) ?? symbols.size;
      symbols.set(text, known);
      return known;
    };
    const series = Array.from({ length: SERIES }, (_unused, i) =>
      message(5, ...seriesParts(body * SERIES + i, symbol)),
    );
    return Buffer.concat([...[...symbols.keys()].map((text) => message(4, Buffer.from(text))), ...series]);
  });
}

function message(field, ...parts) {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(body.length)]), body]);
}

function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}

function double(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
