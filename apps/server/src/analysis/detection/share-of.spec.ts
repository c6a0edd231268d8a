import fc from 'fast-check';
import { shareOf } from './partition-shares.service.js';

describe('shareOf', () => {
  it('distributes all partitions, with shares that differ by at most one', () => {
    const ids = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 1024 }), (members, partitions) => {
        const shares = members.map((id) => shareOf(id, members, partitions));
        expect(shares.reduce((sum, share) => sum + share)).toBe(partitions);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
