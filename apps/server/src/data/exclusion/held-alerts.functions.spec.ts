import { parseChip } from '../chips/chips.js';
import { heldBackBy } from './held-alerts.functions.js';

const HOUR = 3600;
/** Thu 9 Oct 2025 00:00 in Oslo. */
const MIDNIGHT = 1759960800;

const cpu = { name: 'cpu{host="db-1"}', labels: { host: 'db-1' } };
const disk = { name: 'disk{host="db-1"}', labels: { host: 'db-1' } };

describe('heldBackBy', () => {
  const exclusion = { fromTimestamp: null, untilTimestamp: null, recurrence: null };

  it('holds back alerts of covered metrics while the exclusion is in force', () => {
    const isHeldBack = heldBackBy({
      timezone: 'Europe/Oslo',
      exclusions: [{ ...exclusion, chips: [parseChip('cpu')], fromTimestamp: 100, untilTimestamp: 200 }],
    });
    const answers = [99, 100, 199, 200].map((at) => [isHeldBack(cpu, at), isHeldBack(disk, at)]);
    expect(answers).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [false, false],
    ]);
  });

  it('applies weekly exclusions in the time zone of the organisation', () => {
    const recurrence = { days: ['thu'], start: '02:00', durationSeconds: HOUR } as const;
    const isHeldBack = heldBackBy({
      timezone: 'Europe/Oslo',
      exclusions: [{ ...exclusion, chips: [parseChip('host:db-1')], recurrence }],
    });
    expect([1.5, 2.5, 3.5, 26.5].map((hours) => isHeldBack(disk, MIDNIGHT + hours * HOUR))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});
