import { axisLabels, shortNumber } from './number-format.js';

describe('shortNumber', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [0.5, '0.5'],
    [1234, '1.23\u00a0k'],
    [999_999, '1\u00a0M'],
    [3_400_000, '3.4\u00a0M'],
    [-2_500, '−2.5\u00a0k'],
    [0.001, '0.001'],
    [2e-9, '2×10⁻⁹'],
    [1.5e15, '1.5×10¹⁵'],
    [1.7e308, '1.7×10³⁰⁸'],
    [NaN, '–'],
    [Infinity, '–'],
  ])('writes %p as %p', (value, want) => expect(shortNumber(value)).toBe(want));

  it('keeps as many digits as asked for', () => expect(shortNumber(74.93588, 5)).toBe('74.936'));
});

describe('axisLabels', () => {
  it.each([
    [
      [0, 500, 1000],
      ['0', '500', '1000'],
    ],
    [
      [0, 500, 1000, 1500, 2000],
      ['0', '0.5\u00a0k', '1.0\u00a0k', '1.5\u00a0k', '2.0\u00a0k'],
    ],
    [
      [0, 2e6, 4e6],
      ['0', '2\u00a0M', '4\u00a0M'],
    ],
    [
      [-0.5, 0, 0.5],
      ['−0.5', '0', '0.5'],
    ],
    [
      [0, 2e-7, 4e-7],
      ['0', '2×10⁻⁷', '4×10⁻⁷'],
    ],
    [
      [1e12, 1e12 + 20_000],
      ['1\u00a0000\u00a0000\u00a0000\u00a0000', '1\u00a0000\u00a0000\u00a0020\u00a0000'],
    ],
    [[0], ['0']],
    [
      [-4e307, 0, 4e307],
      ['−4×10³⁰⁷', '0', '4×10³⁰⁷'],
    ],
    [
      [0, 5e-80],
      ['0', '5×10⁻⁸⁰'],
    ],
  ])('labels %p', (ticks, want) => expect(axisLabels(ticks)).toEqual(want));
});
