import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type DataSource } from 'typeorm';
import { composeMetricName, isNameProblem } from '#libs/protocols';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { MetricEntity } from '../metric/metric.entity.js';
import { chipsToSearchSql } from './chips-search-sql.js';
import { BadChipsError, type Chip, type ChipTarget, matchesChips, parseChips } from './chips.js';
import { chipsToSql } from './chips-sql.js';
import { metricStateSql } from './metric-state-sql.js';

const NOW = 1_760_000_000;
const DAY = 86_400;

/** One metric for each state, at the edges of its definition. */
const SILENCES: { silence: number; resolution: number | null; removed: boolean; state: string }[] = [
  { silence: 0, resolution: 60, removed: false, state: 'active' },
  { silence: 900, resolution: 60, removed: false, state: 'active' },
  { silence: 901, resolution: 60, removed: false, state: 'stale' },
  { silence: 1500, resolution: 300, removed: false, state: 'active' },
  { silence: 1501, resolution: 300, removed: false, state: 'stale' },
  { silence: 901, resolution: null, removed: false, state: 'stale' },
  { silence: DAY - 1, resolution: 60, removed: false, state: 'stale' },
  { silence: DAY, resolution: 60, removed: false, state: 'inactive' },
  { silence: DAY, resolution: 86_400, removed: false, state: 'inactive' },
  { silence: 0, resolution: 60, removed: true, state: 'removed' },
  { silence: DAY, resolution: 60, removed: true, state: 'removed' },
];

const word = fc.string({ unit: fc.constantFrom(...'abAB_.-:%\\é'.split('')), minLength: 1, maxLength: 6 });
const nameWord = fc.string({ unit: fc.constantFrom(...'abAB_.-:%/éÉ'.split('')), minLength: 1, maxLength: 6 });
const labelKey = fc.constantFrom('job', 'Job', 'host', 'a.b', '_x');
const labelValue = fc.string({ unit: fc.constantFrom(...'abAB,"\\%_* é'.split('')), minLength: 1, maxLength: 6 });
const metric = fc.record({
  name: nameWord,
  labels: fc.dictionary(labelKey, labelValue, { maxKeys: 3 }),
  source: fc.constantFrom('json', 'prometheus', 'influx'),
  type: fc.constantFrom('gauge' as const, 'counter' as const, 'rate' as const),
  silence: fc.constantFrom(...SILENCES),
});

const value = fc.oneof(
  word,
  word.map((text) => `${text}*`),
  word.map((text) => `*${text}`),
  fc.constant('*'),
  labelValue.map(quote),
);
const anyChip = fc
  .tuple(
    fc.constantFrom('', '', '-'),
    fc.oneof(
      fc.constant(''),
      labelKey.map((key) => `${key}:`),
      fc.constantFrom('@name:', '@source:', '@type:'),
      fc.constant(''),
    ),
    fc.oneof(value, fc.constantFrom('json', 'pro*', 'COUNTER')),
  )
  .map((parts) => parts.join(''));
const stateChip = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom('active', 'Stale', 'inactive', 'removed', '*e*'))
  .map(([sign, state]) => `${sign}@state:${state}`);

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

describe('chipsToSql', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let orgId: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = database.dataSource;
    const [org] = await dataSource.query<{ id: number }[]>(`INSERT INTO org (name) VALUES ('Test') RETURNING id`);
    orgId = org!.id;
  });
  afterAll(() => database.drop());

  async function store(metrics: Iterable<{ target: ChipTarget; silence: (typeof SILENCES)[number] }>): Promise<void> {
    await dataSource.query('DELETE FROM metric');
    const rows = [...metrics].map(({ target, silence: { silence, resolution, removed } }) => ({
      orgId,
      name: target.name,
      nameHash: createHash('sha256').update(target.name).digest(),
      displayName: target.name.split('{')[0]!,
      labels: { ...target.labels },
      type: target.type as 'gauge',
      aggregation: 'last' as const,
      source: target.source,
      lastTimestamp: NOW - silence,
      resolutionSeconds: resolution,
      removedAt: removed ? new Date(NOW * 1000) : null,
    }));
    await dataSource.getRepository(MetricEntity).insert(rows);
    await dataSource.query(
      `UPDATE metric_search s SET state = ${metricStateSql('m', '$1')} FROM metric m WHERE m.id = s.metric_id`,
      [NOW],
    );
  }

  async function search(chips: readonly Chip[]): Promise<string[]> {
    const { where, parameters } = chipsToSearchSql(chips, 's', 'given');
    const rows = await dataSource
      .getRepository(MetricEntity)
      .createQueryBuilder('m')
      .innerJoin('metric_search', 's', 's.metric_id = m.id')
      .select('m.name', 'name')
      .where(where, parameters)
      .getRawMany<{ name: string }>();
    return rows.map((row) => row.name).sort();
  }

  async function select(chips: readonly Chip[]): Promise<string[]> {
    const { where, parameters } = chipsToSql(chips, 'm', NOW);
    const rows = await dataSource
      .getRepository(MetricEntity)
      .createQueryBuilder('m')
      .select('m.name', 'name')
      .where(where, parameters)
      .getRawMany<{ name: string }>();
    return rows.map((row) => row.name).sort();
  }

  it('selects the same metrics as matchesChips', async () => {
    const metrics = fc.array(metric, { minLength: 1, maxLength: 25 });
    const lists = fc.array(
      fc.array(fc.oneof({ weight: 4, arbitrary: anyChip }, stateChip), { minLength: 1, maxLength: 3 }),
      {
        minLength: 15,
        maxLength: 15,
      },
    );
    await fc.assert(
      fc.asyncProperty(metrics, lists, async (drawn, chipLists) => {
        const byName = new Map<string, { target: ChipTarget; silence: (typeof SILENCES)[number] }>();
        for (const { name, labels, source, type, silence } of drawn) {
          const parsed = composeMetricName(name, Object.entries(labels));
          if (isNameProblem(parsed)) continue;
          const target = { name: parsed.name, labels: parsed.labels, source, type, state: silence.state };
          byName.set(parsed.name, { target, silence });
        }
        await store(byName.values());
        for (const list of chipLists) {
          let chips: Chip[];
          try {
            chips = parseChips(list);
          } catch (error) {
            expect(error).toBeInstanceOf(BadChipsError);
            continue;
          }
          const expected = [...byName.values()].filter(({ target }) => matchesChips(chips, target));
          const names = expected.map(({ target }) => target.name).sort();
          expect({ list, names: await select(chips) }).toEqual({ list, names });
          expect({ list, names: await search(chips) }).toEqual({ list, names });
        }
      }),
      { seed: 11, numRuns: 25 },
    );
  });

  it('ignores case beyond ASCII', async () => {
    const target = { name: 'CAFÉ.Øl.ЖУК', labels: {}, source: 'json', type: 'gauge', state: 'active' };
    await store([{ target, silence: SILENCES[0]! }]);
    expect(await select(parseChips('café,øl,жук'))).toEqual([target.name]);
    expect(await select(parseChips('@name:café.øl.жук'))).toEqual([target.name]);
    expect(await search(parseChips('café,øl,жук'))).toEqual([target.name]);
    expect(await search(parseChips('@name:café.øl.жук'))).toEqual([target.name]);
  });

  it('never puts user input into the SQL', async () => {
    await store([]);
    for (const typed of [`'; DROP TABLE metric; --`, `job:') OR ('1'='1`, `"$1"`, ':chip0', `@name:"x' OR TRUE --"`]) {
      expect(chipsToSql(parseChips([typed]), 'm', NOW).where).not.toContain('DROP');
      expect(await select(parseChips([typed]))).toEqual([]);
      expect(chipsToSearchSql(parseChips([typed]), 's').where).not.toContain('DROP');
      expect(await search(parseChips([typed]))).toEqual([]);
    }
  });

  it('selects everything without chips', async () => {
    expect(chipsToSql([], 'm', NOW)).toEqual({ where: 'TRUE', parameters: {} });
    expect(chipsToSearchSql([], 's')).toEqual({ where: 'TRUE', parameters: {} });
  });
});
