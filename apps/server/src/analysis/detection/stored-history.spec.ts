import { type SeriesDefinition } from '#libs/detection';
import { type SeriesQuery, type SeriesStore } from '#libs/series';
import { readStoredHistory } from './stored-history.js';

const DAY = 86_400;
const NOW = 1_760_000_400;
const FROM = NOW - 28 * DAY;
/** Tier 1 is kept for a week. */
const FIRST_SLOT = NOW - 7 * DAY;

const definition = (change: Partial<SeriesDefinition> = {}): SeriesDefinition => ({
  id: 7,
  type: 'gauge',
  aggregation: 'last',
  slotSeconds: 60,
  timezone: 'UTC',
  ...change,
});

describe('the stored history of a series', () => {
  let queries: SeriesQuery[];
  const storeFrom = (first: number): Pick<SeriesStore, 'readRaw' | 'read'> => ({
    readRaw: async () => ({ timestamps: Float64Array.of(first, first + 60), values: Float64Array.of(3, 4) }),
    read: async (query) => {
      queries.push(query);
      return {
        timestamps: Float64Array.of(query.from, query.until),
        values: Float64Array.of(1, 2),
        min: null,
        max: null,
        resolutionSeconds: query.resolutionSeconds,
        tier: 2,
        aggregated: true,
        longestSlotSeconds: 600,
      };
    },
  });

  beforeEach(() => {
    queries = [];
  });

  it('contains the slots, and roll-ups of the weeks before them', async () => {
    const { id, timestamps, values } = await readStoredHistory(storeFrom(FIRST_SLOT), definition(), FROM, NOW);
    expect(id).toBe(7);
    expect([...timestamps]).toEqual([FROM, FIRST_SLOT - 600, FIRST_SLOT, FIRST_SLOT + 60]);
    expect([...values]).toEqual([1, 2, 3, 4]);
    expect(queries).toMatchObject([{ resolutionSeconds: 600, function: 'avg', slots: { tier1: 60, tier2: 600 } }]);
  });

  it('contains readings of a counter, and roll-ups of whole slots', async () => {
    await readStoredHistory(storeFrom(FIRST_SLOT), definition({ type: 'counter', slotSeconds: 420 }), FROM, NOW);
    expect(queries).toMatchObject([{ resolutionSeconds: 840, function: 'last', until: FIRST_SLOT - 840 }]);
  });

  it('needs no roll-ups when slots are kept long enough or when there are no slots', async () => {
    await readStoredHistory(storeFrom(FROM), definition(), FROM, NOW);
    const none = { timestamps: new Float64Array(0), values: new Float64Array(0) };
    const empty = { ...storeFrom(FROM), readRaw: async () => none };
    expect((await readStoredHistory(empty, definition(), FROM, NOW)).timestamps).toHaveLength(0);
    expect(queries).toEqual([]);
  });
});
