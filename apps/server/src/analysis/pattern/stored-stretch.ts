import { type Stretch } from '#libs/patterns';

/** Slots in stored form: 32-bit floats, little-endian. */
export function bytesOf({ values }: Stretch): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, slot) => bytes.writeFloatLE(value, slot * 4));
  return bytes;
}

export function stretchFrom(start: number, step: number, bytes: Buffer): Stretch {
  return {
    start,
    step,
    values: Float32Array.from({ length: bytes.length / 4 }, (_, slot) => bytes.readFloatLE(slot * 4)),
  };
}
