import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uncompressSync } from 'snappy';
import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';
import { parseLimits } from '../batch/limits.js';
import { HistogramFolder } from '../histograms/histogram-folder.js';
import { type HistogramMode } from '../histograms/histogram-settings.js';
import { NameCache } from '../names/name-cache.js';
import { parseRemoteWrite } from './parse-remote-write.js';
import { parseRemoteWrite2 } from './parse-remote-write-2.js';
import { countWritten } from './remote-write-body.js';

const FOLDER = join(import.meta.dirname, '../../../../test/golden/prometheus');
const { receivedAt } = JSON.parse(readFileSync(join(FOLDER, 'capture.json'), 'utf8')) as { receivedAt: number };

const version1 = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.snappy'))
  .slice(0, 4)
  .map((file) => uncompressSync(readFileSync(join(FOLDER, file)), { asBuffer: true }) as Buffer);

const message = (field: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(body.length)]), body]);
};

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}

/** Returns a 2.0 body with every kind of field. */
function version2(): Buffer {
  const symbols = ['', '__name__', 'h', 'le', '0.5', 'h_bucket', '+Inf', 'Help.', 's'];
  const time = [0x10, ...varint(receivedAt * 1000)];
  const sample = message(2, Buffer.from([0x09, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, ...time]));
  const span = Buffer.from([0x08, 0x02, 0x10, 0x02]);
  const native = Buffer.concat([
    Buffer.from([0x08, 0x05, 0x20, 0x02, 0x30, 0x01, 0x78, ...varint(receivedAt * 1000)]),
    message(11, span),
    message(12, Buffer.from([0x02, 0x02])),
    message(8, span),
    message(9, Buffer.from([0x02, 0x00])),
  ]);
  return Buffer.concat([
    ...symbols.map((symbol) => message(4, Buffer.from(symbol))),
    message(5, message(1, Buffer.from([1, 5, 3, 4])), sample, sample),
    message(5, message(1, Buffer.from([1, 5, 3, 6])), sample),
    message(
      5,
      message(1, Buffer.from([1, 2])),
      message(3, native),
      message(5, Buffer.from([0x08, 0x03, 0x18, 0x07, 0x20, 0x08])),
      Buffer.from([0x30, ...varint(receivedAt * 1000 - 5000)]),
    ),
  ]);
}

const seeds = [...version1, version2()];
const names = new NameCache({ maxEntries: 1000 });
const folder = new HistogramFolder({ maxSeries: 100, maxBytes: 200_000 });
const modes: HistogramMode[] = ['quantiles', 'buckets', 'none'];

/** Parses the bytes with both parsers in all modes, and accepts only the errors that reject a body. */
function readsOrRefuses(bytes: Uint8Array): void {
  for (const parse of [parseRemoteWrite, parseRemoteWrite2]) {
    for (const mode of modes) {
      const limits = parseLimits(receivedAt, { names, maxPoints: 5000 });
      try {
        const result = parse(bytes, limits, { folder, scope: 1, settings: { mode, quantiles: [0.5, 0.99] } });
        const { batch } = result;
        if (!batch.values.every(Number.isFinite)) throw new Error('a value is not finite');
        if (!batch.seriesIndex.every((index) => index < batch.series.length)) throw new Error('an index has no series');
        const { samples, histograms } = countWritten(result, batch);
        if (samples < 0 || histograms < 0) throw new Error('less than nothing was written');
      } catch (error) {
        if (!(error instanceof MalformedBodyError || error instanceof BodyTooLargeError)) throw error;
      }
    }
  }
  expect(folder.stats().bytes).toBeLessThanOrEqual(200_000);
}

/** One kind of damage to a body: flipped bits, a cut, a part of another body, or a wrong length. */
const damage = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bits: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), length: fc.nat(400) }),
  fc.record({
    kind: fc.constant('splice' as const),
    at: fc.nat(),
    from: fc.nat(),
    length: fc.nat(200),
    seed: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('length' as const),
    at: fc.nat(),
    value: fc.constantFrom(0, 1, 127, 2 ** 31, 2 ** 40),
  }),
);

function damaged(body: Buffer, { at, ...change }: typeof damage extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const place = at % (body.length + 1);
  const before = body.subarray(0, place);
  switch (change.kind) {
    case 'flip': {
      const copy = Buffer.from(body);
      if (place < copy.length) copy[place]! ^= change.bits;
      return copy;
    }
    case 'cut':
      return Buffer.concat([before, body.subarray(place + change.length)]);
    case 'splice': {
      const other = seeds[change.seed % seeds.length]!;
      const from = change.from % other.length;
      return Buffer.concat([before, other.subarray(from, from + change.length), body.subarray(place)]);
    }
    case 'length': {
      // The byte after any length-delimited tag is (the start of) a length.
      let tag = place;
      while (tag < body.length && (body[tag]! & 7) !== 2) tag++;
      const changed = Buffer.from(varint(change.value));
      return Buffer.concat([body.subarray(0, tag + 1), changed, body.subarray(tag + 2)]);
    }
  }
}

describe('damaged remote write bodies', () => {
  it('are parsed or rejected in bounded memory', () => {
    fc.assert(
      fc.property(fc.nat(seeds.length - 1), fc.array(damage, { minLength: 1, maxLength: 4 }), (seed, changes) => {
        readsOrRefuses(changes.reduce(damaged, seeds[seed]!));
      }),
      { seed: 64, numRuns: 1500 },
    );
  });

  it('of random bytes are parsed or rejected', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        readsOrRefuses(bytes);
        // After the tags that lead into the most deeply nested messages.
        readsOrRefuses(message(5, message(3, bytes)));
        readsOrRefuses(message(1, message(4, bytes)));
      }),
      { seed: 65, numRuns: 800 },
    );
  });
});
