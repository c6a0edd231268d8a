import { codeOfCount, counted, countOf, halved } from './packed-count.js';

describe('counts packed into a byte', () => {
  it('are exact up to 63, and within 25 % beyond', () => {
    let code = 0;
    for (let n = 1; n <= 4000; n++) {
      code = counted(code, n);
      if (n <= 63) expect(countOf(code)).toBe(4 * n);
      else expect(Math.abs(countOf(code) / (4 * n) - 1)).toBeLessThan(0.25);
    }
  });

  it('convert to codes and back, and can be halved', () => {
    for (let code = 0; code < 256; code++) {
      expect(codeOfCount(countOf(code))).toBe(code);
      if (code > 0) expect(countOf(code)).toBeGreaterThan(countOf(code - 1));
      expect(Math.abs(countOf(halved(code)) - countOf(code) / 2)).toBeLessThanOrEqual(1 + countOf(code) / 8);
    }
    expect(codeOfCount(1e9)).toBe(255);
    expect(counted(255, 1)).toBe(255);
  });
});
