import { emptySlots, maskBytesOf, type RollupSlots, type SlotCut } from '../rollup/rollup-slots.js';
import { BitReader, BitWriter } from './bit-stream.js';
import { readIntegers, writeIntegers } from './integer-coder.js';
import { readTimestamps, writeTimestamps } from './time-coder.js';
import { readValues, writeValues } from './value-coder.js';

/**
 * The first format contains the length of a mask, and always has these slots; the second contains how slots are cut.
 */
const FIXED_CUT_VERSION = 1;
const FIXED_CUT: SlotCut = { slotSeconds: 600, unitSeconds: 60 };
const VERSION = 2;
const VALUE_COLUMNS = ['mins', 'maxs', 'sums', 'lasts'] as const;

const writer = new BitWriter(8192);

/** Roll-up slots of one series as bytes. Their number and the start of the first are stored separately. */
export function encodeSlots(slots: RollupSlots): Uint8Array<ArrayBuffer> {
  const count = slots.starts.length;
  const maskBytes = maskBytesOf(slots);
  writer.reset();
  writer.write(VERSION, 8);
  writer.writeVarint(slots.slotSeconds);
  writer.writeVarint(slots.unitSeconds);
  writeTimestamps(writer, slots.starts, count);
  writeIntegers(writer, slots.counts, count);
  writeIntegers(
    writer,
    slots.lastTimestamps.map((timestamp, i) => timestamp - slots.starts[i]!),
    count,
  );
  for (let byte = 0; byte < maskBytes; byte++) {
    const column = slots.starts.map((_, i) => slots.masks[i * maskBytes + byte]!);
    writeIntegers(writer, column, count);
  }
  for (const name of VALUE_COLUMNS) writeValues(writer, slots[name], count);
  return writer.finish();
}

/** Throws RangeError for bytes that are not a roll-up. */
export function decodeSlots(bytes: Uint8Array, count: number, first: number): RollupSlots {
  const bits = new BitReader(bytes);
  const cut = readCut(bits);
  const slots = emptySlots(count, cut);
  const maskBytes = maskBytesOf(cut);
  readTimestamps(bits, slots.starts, count, first);
  readIntegers(bits, slots.counts, count);
  readIntegers(bits, slots.lastTimestamps, count);
  for (let i = 0; i < count; i++) slots.lastTimestamps[i]! += slots.starts[i]!;
  const column = new Float64Array(count);
  for (let byte = 0; byte < maskBytes; byte++) {
    readIntegers(bits, column, count);
    for (let i = 0; i < count; i++) slots.masks[i * maskBytes + byte] = column[i]!;
  }
  for (const name of VALUE_COLUMNS) readValues(bits, slots[name], count);
  return slots;
}

function readCut(bits: BitReader): SlotCut {
  const version = bits.read(8);
  if (version === FIXED_CUT_VERSION) {
    if (bits.readVarint() !== maskBytesOf(FIXED_CUT)) throw new RangeError('A roll-up was made for other tiers');
    return FIXED_CUT;
  }
  if (version !== VERSION) throw new RangeError(`A roll-up has an unknown version (${String(version)})`);
  const cut = { slotSeconds: bits.readVarint(), unitSeconds: bits.readVarint() };
  if (cut.unitSeconds < 1 || cut.slotSeconds % cut.unitSeconds !== 0) throw new RangeError('A roll-up is damaged');
  return cut;
}
