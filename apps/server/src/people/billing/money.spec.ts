import { amountString } from './money.js';

describe('an amount of money', () => {
  it.each([
    [4900, 'EUR', '49.00 EUR'],
    [5, 'USD', '0.05 USD'],
    [0, 'EUR', '0.00 EUR'],
    [-1250, 'EUR', '-12.50 EUR'],
    [4900, 'JPY', '4900 JPY'],
    [12_345, 'KWD', '12.345 KWD'],
    [500, 'ISK', '5.00 ISK'],
    [4900, 'XXQ', '49.00 XXQ'],
  ])('of %d in %s is %s', (amount, currency, want) => {
    expect(amountString(amount, currency)).toBe(want);
  });
});
