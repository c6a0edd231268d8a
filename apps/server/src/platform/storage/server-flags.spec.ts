import { DEFAULT_TIERS } from './retention-tiers.js';
import { flagsProblem } from './series-home.service.js';

const problem = (flags: Record<string, string>) => flagsProblem(new Map(Object.entries(flags)), [DEFAULT_TIERS]);

describe('flagsProblem', () => {
  it.each(['100y', '3y', '24', '730d', '105w', '17520h'])('accepts a retention of %s', (retentionPeriod) => {
    expect(problem({ retentionPeriod })).toBeNull();
  });

  it.each([
    [{}, 'keeps points for 31 days (-retentionPeriod=1)'],
    [{ retentionPeriod: '1y' }, 'start it with -retentionPeriod=730d or more'],
    [{ retentionPeriod: '729d' }, 'keeps points for 729 days'],
  ])('rejects %j, which keeps points shorter than the organisations', (flags, message) => {
    expect(problem(flags)).toContain(message);
  });

  it('accepts deduplication within a slot, but not of slots', () => {
    const retentionPeriod = '3y';
    expect(problem({ retentionPeriod, 'dedup.minScrapeInterval': '1ms' })).toBeNull();
    expect(problem({ retentionPeriod, 'dedup.minScrapeInterval': '59s' })).toBeNull();
    expect(problem({ retentionPeriod, 'dedup.minScrapeInterval': '60s' })).toContain('slots of 60 s');
    expect(problem({ retentionPeriod, 'dedup.minScrapeInterval': '1m' })).toContain('-dedup.minScrapeInterval');
  });
});
