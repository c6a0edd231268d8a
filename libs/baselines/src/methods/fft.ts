const { cos, PI, sin } = Math;

/**
 * Discrete Fourier transform of a fixed length that is a power of two, in place.
 * Source: Cooley & Tukey (1965), "An Algorithm for the Machine Calculation of Complex Fourier Series", radix 2.
 */
export class Fft {
  private readonly cosines: Float64Array;
  private readonly sines: Float64Array;
  /** Index with its bits in reverse order. */
  private readonly reversed: Uint32Array;

  /** @throws RangeError if `size` is not a power of two, 2 or more */
  constructor(readonly size: number) {
    if (!Number.isInteger(Math.log2(size)) || size < 2) throw new RangeError(`${size} is not a power of two`);
    this.cosines = Float64Array.from({ length: size / 2 }, (_, i) => cos((2 * PI * i) / size));
    this.sines = Float64Array.from({ length: size / 2 }, (_, i) => sin((2 * PI * i) / size));
    this.reversed = new Uint32Array(size);
    for (let i = 1; i < size; i++) this.reversed[i] = (this.reversed[i >> 1]! >> 1) | (i % 2 === 1 ? size / 2 : 0);
  }

  /** X[k] = sum over n of x[n] exp(-2πi kn / size). */
  transform(real: Float64Array, imaginary: Float64Array): void {
    const { size, cosines, sines, reversed } = this;
    for (let i = 0; i < size; i++) {
      const other = reversed[i]!;
      if (other <= i) continue;
      const [re, im] = [real[i]!, imaginary[i]!];
      real[i] = real[other]!;
      imaginary[i] = imaginary[other]!;
      real[other] = re;
      imaginary[other] = im;
    }
    for (let half = 1; half < size; half *= 2) {
      const step = size / (2 * half);
      for (let block = 0; block < size; block += 2 * half) {
        for (let offset = 0; offset < half; offset++) {
          const c = cosines[offset * step]!;
          const s = sines[offset * step]!;
          const even = block + offset;
          const odd = even + half;
          const re = real[odd]! * c + imaginary[odd]! * s;
          const im = imaginary[odd]! * c - real[odd]! * s;
          real[odd] = real[even]! - re;
          imaginary[odd] = imaginary[even]! - im;
          real[even] = real[even]! + re;
          imaginary[even] = imaginary[even]! + im;
        }
      }
    }
  }

  /** Reverses `transform`, up to the factor `size`. */
  inverse(real: Float64Array, imaginary: Float64Array): void {
    this.transform(imaginary, real);
  }
}
