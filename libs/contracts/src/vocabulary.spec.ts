import { ERROR_STATUS } from './error-codes.js';
import { rarityMonths, severityLabel } from './vocabulary.js';

describe('severityLabel', () => {
  it.each([
    [0, 'info'],
    [24.9, 'info'],
    [25, 'minor'],
    [49, 'minor'],
    [50, 'major'],
    [75, 'critical'],
    [100, 'critical'],
  ])('labels %d as %s', (severity, label) => {
    expect(severityLabel(severity)).toBe(label);
  });
});

describe('error codes', () => {
  it('have an HTTP status of 400 or more', () => {
    for (const status of Object.values(ERROR_STATUS)) expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe('rarityMonths', () => {
  it.each([
    [120, 4],
    [2, 0.067],
    [121.7, 4.1],
    [null, null],
  ])('converts %p days to %p months', (days, months) => {
    expect(rarityMonths(days)).toBe(months);
  });
});
