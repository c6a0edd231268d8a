import { uniform } from '#libs/detection/testing';
import { Fft } from './fft.js';
import { SPECTRAL_RESIDUAL } from './spectral-residual.js';

describe('Fft', () => {
  it('agrees with numpy.fft.fft', () => {
    const real = Float64Array.of(1, 2, 0, -1, 3, 5, -2, 4);
    const imaginary = new Float64Array(8);
    new Fft(8).transform(real, imaginary);
    const wantReal = [12, -0.58578644, 6, -3.41421356, -8, -3.41421356, 6, -0.58578644];
    const wantImaginary = [0, 3.65685425, -4, 7.65685425, 0, -7.65685425, 4, -3.65685425];
    wantReal.forEach((want, k) => expect(real[k]).toBeCloseTo(want, 8));
    wantImaginary.forEach((want, k) => expect(imaginary[k]).toBeCloseTo(want, 8));
  });

  it.each([2, 4, 32, 256])('of size %i agrees with the discrete Fourier sum and is inverted by inverse', (size) => {
    const random = uniform(size);
    const given = [0, 1].map(() => Float64Array.from({ length: size }, () => random() - 0.5));
    const [real, imaginary] = given.map((column) => column.slice()) as [Float64Array, Float64Array];
    const fft = new Fft(size);
    fft.transform(real, imaginary);
    for (let k = 0; k < size; k++) {
      let [re, im] = [0, 0];
      for (let n = 0; n < size; n++) {
        const angle = (-2 * Math.PI * k * n) / size;
        re += given[0]![n]! * Math.cos(angle) - given[1]![n]! * Math.sin(angle);
        im += given[0]![n]! * Math.sin(angle) + given[1]![n]! * Math.cos(angle);
      }
      expect(real[k]).toBeCloseTo(re, 9);
      expect(imaginary[k]).toBeCloseTo(im, 9);
    }
    fft.inverse(real, imaginary);
    for (let n = 0; n < size; n++) {
      expect(real[n]! / size).toBeCloseTo(given[0]![n]!, 10);
      expect(imaginary[n]! / size).toBeCloseTo(given[1]![n]!, 10);
    }
  });

  it.each([0, 1, 3, 12, 2.5])('rejects size %f', (size) => expect(() => new Fft(size)).toThrow(RangeError));
});

describe('SPECTRAL_RESIDUAL', () => {
  // The published steps in numpy over rows r-250 .. r: log spectrum minus its mean over three neighbours
  // (circular), back with the old phase, saliency against the mean of the 21 rows before; x / (x + 15).
  it.each([
    [270, 0.13343071089070294],
    [280, 0.5913782815844522],
    [281, 0.2698423862329468],
    [299, 0],
  ])('scores row %i of a noisy series with an outburst at 280', (row, want) => {
    const values = Float64Array.from({ length: 300 }, (_, i) => ((i * 7919) % 101) / 10 + 3 * Math.sin(i / 7));
    values[280] = values[280]! + 30;
    const { scores } = SPECTRAL_RESIDUAL.run(
      values.map((_, i) => 60 * i),
      values,
    );
    expect(scores[row]).toBeCloseTo(want, 9);
  });
});
