import fc from 'fast-check';
import { beyondText, diskText, numberText, rangeText, rateUnit, shownUnit, unitName, valueText } from './quantity.js';

describe('valueText', () => {
  it.each([
    [84.2367, 'ms', '84.24 ms'],
    [8421.5, null, '8422'],
    [84_213, '', '84.21 k'],
    [1_234_567, 'req/s', '1.235 M req/s'],
    [0, 'ms', '0 ms'],
    [-3.5, null, '−3.5'],
    [0.0842, 'seconds', '84.2 ms'],
    [0.000_012, 's', '12 µs'],
    [12.5, 's', '12.5 s'],
    [12_400_000_000, 'bytes', '12.4 GB'],
    [999.99, 'B', '1 kB'],
    [85, '%', '85 %'],
    [1.2e-9, null, '1.2 n'],
    [4e18, null, '4 E'],
    [62.759_999_999_999_99, '%', '62.76 %'],
    [7.014_284_095_238_734, 'seconds', '7.014 s'],
    [963_481_234, null, '963.5 M'],
    [-0.000_035, null, '−35 µ'],
    [1.389_3e-9, 'W', '1.389 nW'],
    [9999.96, null, '10 k'],
    [1e-13, null, '1×10⁻¹³'],
    [Number.MAX_VALUE, null, '1.797×10³⁰⁸'],
    [-1.7e308, null, '−1.7×10³⁰⁸'],
    [1_440_000_000, 'By', '1.44 GB'],
    [1536, 'MB', '1.536 GB'],
    [2, 'GiB', '2.147 GB'],
    [0.5, 'bytes', '0.5 B'],
    [0.5, 'V', '500 mV'],
    [12.34, '/s', '12.34 /s'],
    [1_440_000, 'bytes/s', '1.44 MB/s'],
    [1_234_567, '{request}/s', '1.235 M request/s'],
    [0.42, 'seconds/s', '420 ms/s'],
    [93, 'percent', '93 %'],
    [0.93, 'ratio', '0.93'],
    [21.5, 'celsius', '21.5 °C'],
    [7230, 's', '2.008 h'],
    [842, 's', '842 s'],
    [1500, 'ms', '1.5 s'],
    [null, 'ms', 'no value'],
    [NaN, null, '–'],
    [Infinity, 'bytes', '–'],
  ])('writes %p %p as %s', (value, unit, text) => {
    expect(valueText(value, unit)).toBe(text);
  });
});

describe('rangeText', () => {
  it.each([
    [3.35, 4.87, 'ms', '3.35 to 4.87 ms'],
    [900, 1200, 'bytes', '900 B to 1.2 kB'],
    [10, 20, '%', '10 to 20 %'],
    [4, 4, null, '4'],
    [0, 4e6, 'bytes/s', '0 to 4 MB/s'],
    [null, 4, 'ms', 'at most 4 ms'],
    [4, null, 'ms', 'at least 4 ms'],
    [-0.0000318, 1.608, null, '0 to 1.608'],
    [-4, 1e-9, 'ms', '−4 to 0 ms'],
  ])('writes %p and %p %p as %s', (lower, upper, unit, text) => {
    expect(rangeText(lower, upper, unit)).toBe(text);
  });

  it('returns null without bounds', () => {
    expect(rangeText(null, null, 'ms')).toBeNull();
  });
});

describe('beyondText', () => {
  it.each([
    [0.0842, 0.0034, 0.0049, 'seconds', '79.3 ms above'],
    [3, 10, null, null, '7 below'],
    [12, null, 10, '%', '2 % above'],
    [5, 4, 6, 'ms', null],
    [5, null, null, 'ms', null],
    [null, 4, 6, 'ms', null],
  ])('writes %p against %p to %p %p as %p', (value, lower, upper, unit, text) => {
    expect(beyondText(value, { lower, upper }, unit)).toBe(text);
  });
});

describe('numberText', () => {
  it('has at most four significant digits and no exponent such as e-7', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = numberText(value);
        const digits = text.replace(/×.*$/, '').replace(/\D/g, '').replace(/^0+/, '');
        expect(digits.replace(/0+$/, '').length).toBeLessThanOrEqual(4);
        expect(text).not.toMatch(/e[+-]?\d/);
      }),
    );
  });
});

describe('units', () => {
  it.each([
    ['counter', 'bytes', 'bytes/s'],
    ['counter', null, '/s'],
    ['rate', 'req/s', 'req/s'],
    ['gauge', null, null],
  ] as const)('of a %s in %p are shown as %p', (type, unit, shown) => expect(shownUnit({ type, unit })).toBe(shown));

  it.each([
    ['/s', 'per second'],
    ['By/s', 'By/s'],
    ['celsius', '°C'],
    ['constructor', 'constructor'],
    ['1', ''],
    [null, ''],
  ])('such as %p are named %p next to an axis', (unit, name) => expect(unitName(unit)).toBe(name));

  it('of a rate of a dimensionless value are /s', () => expect(rateUnit('1')).toBe('/s'));
});

describe('diskText', () => {
  it.each([
    [0, '0 MB'],
    [62_400_000, '62 MB'],
    [12_345_000_000, '12.3 GB'],
  ])('shows %d bytes as %s', (bytes, text) => expect(diskText(bytes)).toBe(text));
});
