import fc from 'fast-check';
import { DOUBLES, HOT_BYTES, RECORD_BYTES } from '../series/record/layout.js';
import { RecordPages } from './record-pages.js';

/** Places on several pages, some of them neighbours. */
const PLACES = [0, 1, 2, 254, 255, 256, 257, 511, 512, 900];

const readAll = ({ f, p }: ReturnType<RecordPages['open']>): number[] => [f[0]!, f[DOUBLES - 1]!, p[0]!, p.at(-1)!];

describe('RecordPages', () => {
  it('keeps the content of every record while others are opened', () => {
    const step = fc.tuple(
      fc.constantFrom('write', 'write', 'read', 'peek', 'bytes', 'set'),
      fc.constantFrom(...PLACES),
      fc.integer({ min: 0, max: 2 ** 24 }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 120 }), (steps) => {
        const pages = new RecordPages();
        const expected = new Map(PLACES.map((place) => [place, [0, 0, 0, 0]]));
        for (const [what, place, value] of steps) {
          if (what === 'read') expect(readAll(pages.open(place))).toEqual(expected.get(place));
          else if (what === 'peek') {
            expect(pages.peek(place, 0)).toBe(expected.get(place)![0]);
            expect(pages.peek(place, DOUBLES - 1)).toBe(expected.get(place)![1]);
          } else if (what === 'bytes') {
            const bytes = pages.bytesAt(place);
            const doubles = new Float64Array(bytes.slice(0, DOUBLES * 8).buffer);
            expect([bytes.length, doubles[0], doubles[DOUBLES - 1]]).toEqual([
              RECORD_BYTES,
              ...expected.get(place)!.slice(0, 2),
            ]);
          } else if (what === 'set') {
            pages.bytesAt(place).fill(0);
            expected.set(place, [0, 0, 0, 0]);
          } else {
            const { f, p } = pages.open(place);
            f[0] = value;
            f[DOUBLES - 1] = -value;
            p[0] = value;
            p[p.length - 1] = value;
            expected.set(place, [value, -value, value, value]);
          }
        }
        for (const [place, values] of expected) expect(readAll(pages.open(place))).toEqual(values);
      }),
      { seed: 20_251_401, numRuns: 150 },
    );
  });

  it('lets peek read the open record and others', () => {
    const pages = new RecordPages();
    const { f } = pages.open(3);
    f[5] = 1.5;
    expect(pages.peek(3, 5)).toBe(1.5);
    expect(pages.peek(4, 5)).toBe(0);
    expect(pages.peek(300, 5)).toBe(0);
    f[5] = 2.5;
    expect(pages.peek(3, 5)).toBe(2.5);
    pages.open(4).f[5] = 9;
    expect([pages.peek(3, 5), pages.peek(4, 5)]).toEqual([2.5, 9]);
  });

  it('returns bytes of the open record that reflect its values and can be changed', () => {
    const pages = new RecordPages();
    pages.open(7).f[0] = Math.PI;
    expect(new Float64Array(pages.bytesAt(7).slice(0, 8).buffer)[0]).toBe(Math.PI);
    pages.bytesAt(7).set(new Uint8Array(new Float64Array([Math.E]).buffer));
    expect(pages.open(7).f[0]).toBe(Math.E);
  });

  it('reuses the views for all records', () => {
    const pages = new RecordPages();
    expect(pages.open(0).f).toBe(pages.open(1).f);
  });

  it('lets peekFloat and peekByte read open and closed records', () => {
    const pages = new RecordPages();
    const { p, b } = pages.open(3);
    p[7] = 0.5;
    b[2] = -1;
    expect([pages.peekFloat(3, 7), pages.peekByte(3, 2), pages.peekFloat(4, 7)]).toEqual([0.5, -1, 0]);
    pages.open(4);
    expect([pages.peekFloat(3, 7), pages.peekByte(3, 2)]).toEqual([0.5, -1]);
  });

  it('exposes the whole hot part of a record in its views', () => {
    const { f, w, p, h, b } = new RecordPages().open(1);
    const bytes = f.byteLength + w.byteLength + p.byteLength + h.byteLength + b.byteLength;
    expect(HOT_BYTES - bytes).toBeGreaterThanOrEqual(0);
    expect(HOT_BYTES - bytes).toBeLessThan(8);
    expect(RECORD_BYTES % 8).toBe(0);
  });
});
