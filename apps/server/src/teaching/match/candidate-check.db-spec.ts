import { jest } from '@jest/globals';
import { contextStep, contextWindow, cutShape, type Shape, stretchOf } from '#libs/patterns';
import { type SeriesStore } from '#libs/series';
import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { LearningApp } from '../../../../../test/support/learning-app.js';
import { storePattern } from '../../../../../test/support/patterns.js';
import { until } from '../../../../../test/support/product.js';
import { statementsOf } from '../../../../../test/support/statements.js';
import { SERIES_STORE } from '../../platform/storage/storage.types.js';
import { CandidateCheckService } from './candidate-check.service.js';
import { CandidateRepository } from './candidate.repository.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const LAST = START - (START % DAY);
const FIRST = LAST - 3 * DAY;
/** A job of half an hour, five minutes past every hour. */
const JOB = { at: 5 * MINUTE, length: 30 * MINUTE };
const METRICS = 4;

const points = Array.from({ length: (LAST - FIRST) / MINUTE }, (_, slot): [number, number] => {
  const timestamp = FIRST + slot * MINUTE;
  const noise = Math.sin(timestamp * 12.9898) * 43_758.5453;
  const isJob = timestamp % HOUR >= JOB.at && timestamp % HOUR < JOB.at + JOB.length;
  return [timestamp, 100 + (noise - Math.floor(noise)) * 6 + (isJob ? 50 : 0)];
});

function shapeAt(start: number): Shape {
  const fine = stretchOf(points, start - 2 * HOUR, start + 2 * HOUR, MINUTE);
  const step = contextStep(DAY, MINUTE);
  const window = contextWindow(start, DAY, step);
  const context = stretchOf(points, window.from, window.until - 1, step);
  return cutShape(DAY, { start, end: start + JOB.length - MINUTE }, { fine, context });
}

describe('candidates', () => {
  let app: LearningApp;
  let metrics: { id: number; orgId: number }[];
  const used = new Map<number, number>();

  beforeAll(async () => {
    app = await LearningApp.create();
    const { id: orgId } = await app.anOrg({ timezone: 'UTC' });
    const token = await app.aToken(orgId, Permission.Ingest);
    metrics = [];
    for (let number = 0; number < METRICS; number++) {
      const name = `job-${String(number)}`;
      for (let first = 0; first < points.length; first += DAY / MINUTE) {
        await send(token, name, points.slice(first, first + DAY / MINUTE));
      }
      const detected = await until(`${name} to be detected`, async () => {
        const rows: { id: number; orgId: number }[] = await app.database.dataSource.query(
          'SELECT id, org_id AS "orgId" FROM metric WHERE name = $1 AND last_timestamp >= $2',
          [name, LAST - MINUTE],
        );
        return rows[0];
      });
      metrics.push(detected);
    }
    for (const { id } of metrics) await teach(id, FIRST + DAY + JOB.at);
  });
  afterAll(() => app.close());

  async function send(token: string, metric: string, sent: readonly [number, number][]): Promise<void> {
    const { status } = await app
      .http()
      .post('/ingest/metrics')
      .set('X-Auth-Token', token)
      .set('X-Backfill', 'true')
      .send({ metrics: sent.map(([timestamp, value]) => ({ metric, timestamp, value })) });
    expect(status).toBe(204);
  }

  /** Stores a pattern that has occurred at every hour of the day. */
  async function teach(metricId: number, start: number): Promise<void> {
    const starts = Array.from({ length: 24 }, (_, hour) => start + hour * HOUR);
    await storePattern(app, { orgId: metrics[0]!.orgId, metricId, shape: shapeAt(start), starts });
  }

  /** Creates a candidate that begins with a job or between two jobs, each at a different hour. */
  async function ask(metric: { id: number; orgId: number }, isJob: boolean, event: object = {}): Promise<void> {
    const hour = used.get(metric.id) ?? 0;
    used.set(metric.id, hour + 1);
    const start =
      LAST - 2 * HOUR - (hour % 20) * HOUR + (isJob ? JOB.at : 45 * MINUTE + Math.floor(hour / 20) * MINUTE);
    const detected = {
      type: 'closed',
      seriesId: metric.id,
      startTimestamp: start,
      endTimestamp: start + JOB.length - MINUTE,
      peakTimestamp: start,
      backfill: true,
      value: 150,
      peakValue: 150,
      expected: 100,
      lower: 90,
      upper: 110,
      score: 0.9,
      severity: 60,
      rarityDays: null,
      kind: 'spike',
      explanation: [],
      closeReason: 'recovered',
      ...event,
    };
    await app.database.dataSource.query(
      `INSERT INTO anomaly_candidate (metric_id, start_timestamp, org_id, event, state, deadline, check_at)
       VALUES ($1, $2, $3, $4, 'pending', $5, $6)`,
      [metric.id, start, metric.orgId, JSON.stringify(detected), LAST + DAY, app.clock.seconds + 10],
    );
  }

  /** Checks the candidates, and returns the numbers of statements and of series reads. */
  async function check(): Promise<{ statements: number; reads: number }> {
    const store = app.app.get<SeriesStore>(SERIES_STORE, { strict: false });
    const reads = [jest.spyOn(store, 'read'), jest.spyOn(store, 'readMany')];
    const statements = await statementsOf(app.database.dataSource, async () => {
      app.clock.seconds += 20;
      await app.get(CandidateCheckService).run();
    });
    const read = reads.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    for (const spy of reads) spy.mockRestore();
    return { statements: statements.length, reads: read };
  }

  const count = async (table: string, where = 'true'): Promise<number> =>
    (await app.database.dataSource.query(`SELECT count(*)::integer AS count FROM "${table}" WHERE ${where}`))[0].count;

  it('are checked together in a limited number of statements', async () => {
    await ask(metrics[0]!, true);
    await ask(metrics[1]!, false);
    const [matches, anomalies] = [await count('pattern_match'), await count('anomaly')];
    const few = await check();
    for (let number = 0; number < 40; number++) await ask(metrics[number % METRICS]!, number % 8 < METRICS);
    const many = await check();
    expect(await count('anomaly_candidate')).toBe(0);
    expect((await count('pattern_match')) - matches).toBe(21);
    expect((await count('anomaly')) - anomalies).toBe(21);
    expect(many.reads).toBe(few.reads);
    // Other work of the application also counts; one statement per candidate would be 40 more.
    expect(many.statements).toBeLessThan(few.statements + 20);
    const patterns = await app.database.dataSource.query('SELECT sum(matches)::integer AS matches FROM pattern');
    expect(patterns).toEqual([{ matches: await count('pattern_match') }]);
  });

  it('are checked individually when the check of a batch fails', async () => {
    const before = await count('pattern_match');
    await ask(metrics[0]!, false, { severity: 1_000_000 });
    await ask(metrics[1]!, true);
    await ask(metrics[2]!, true);
    await expect(check()).rejects.toThrow('smallint');
    expect((await count('pattern_match')) - before).toBe(2);
    expect(await count('anomaly_candidate')).toBe(1);
    await app.database.dataSource.query('DELETE FROM anomaly_candidate');
  });

  it('are checked even if their metric has the maximum number of trained patterns', async () => {
    const { id } = metrics[0]!;
    const columns = `org_id, metric_id, origin, duration, part_start, part_end, fine_start, fine_step, fine, context_start,
      context_step, context, starts, similarity_threshold`;
    await app.database.dataSource.query(
      `INSERT INTO pattern (${columns}) SELECT ${columns} FROM pattern, generate_series(2, 200) WHERE metric_id = $1`,
      [id],
    );
    const before = await count('pattern_match');
    await ask(metrics[0]!, true);
    await ask(metrics[1]!, true);
    await check();
    expect((await count('pattern_match')) - before).toBe(2);
    expect(await count('pattern', `metric_id = ${String(id)} AND origin = 'learnt'`)).toBe(0);
  });

  it('are compared with the current state of a pattern', async () => {
    const metric = metrics[2]!;
    const before = await count('pattern_match');
    await app.database.dataSource.query('UPDATE pattern SET shadow = true WHERE metric_id = $1', [metric.id]);
    await ask(metric, true);
    await check();
    expect(await count('pattern_match')).toBe(before);
    await app.database.dataSource.query('UPDATE pattern SET shadow = false WHERE metric_id = $1', [metric.id]);
    await ask(metric, true);
    await check();
    expect((await count('pattern_match')) - before).toBe(1);
  });

  it('create a shadow pattern from a similar match, which suppresses nothing', async () => {
    const metric = metrics[3]!;
    const query = <T>(sql: string, values: unknown[] = [metric.id]): Promise<T[]> =>
      app.database.dataSource.query<T[]>(sql, values);
    await query(`DELETE FROM pattern WHERE metric_id = $1 AND origin = 'learnt'`);
    await query('UPDATE pattern SET enabled = false WHERE metric_id = $1');
    const start = FIRST + DAY + JOB.at;
    const shape = shapeAt(start);
    const { fine, partStart, partEnd } = shape;
    // The job is higher by a fifth.
    const values = fine.values.map((value, slot) => {
      const time = fine.start + slot * fine.step;
      return time >= partStart && time <= partEnd ? value + 11 : value;
    });
    const starts = Array.from({ length: 24 }, (_, hour) => start + hour * HOUR);
    const higher = { ...shape, fine: { ...fine, values } };
    const id = await storePattern(app, { orgId: metric.orgId, metricId: metric.id, shape: higher, starts });
    const learnt = () =>
      query(
        `SELECT parent_id AS "parentId", root_id AS "rootId", generation, shadow, enabled FROM pattern
         WHERE metric_id = $1 AND origin = 'learnt'`,
      );
    const matches = await count('pattern_match');
    await ask(metric, true);
    await check();
    expect((await count('pattern_match')) - matches).toBe(1);
    const child = { parentId: id, rootId: id, generation: 1, shadow: true, enabled: true };
    expect(await learnt()).toEqual([child]);
    // No further pattern is learnt within half a day.
    await ask(metric, true, { backfill: false });
    await check();
    expect((await count('pattern_match')) - matches).toBe(2);
    expect(await learnt()).toEqual([child]);
    expect(await app.eventTexts(metric.orgId)).toEqual(
      expect.arrayContaining([
        ['pattern_created', expect.stringMatching(/^A similar shape of job-3 was learnt; it is in shadow/)],
        ['match_created', expect.stringMatching(/^job-3: Looks like .* alike since /)],
      ]),
    );
    await query('UPDATE pattern SET enabled = false WHERE id = $1', [id]);
    const anomalies = await count('anomaly');
    await ask(metric, true);
    await check();
    expect([(await count('pattern_match')) - matches, (await count('anomaly')) - anomalies]).toEqual([2, 1]);
  });

  it('alternate between organisations, with unchecked candidates before matched ones', async () => {
    const query = <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
      app.database.dataSource.query<T[]>(sql, values);
    await query('DELETE FROM anomaly_candidate');
    const { id: other } = await app.anOrg();
    const [metric] = await query<{ id: number }>(
      `INSERT INTO metric (org_id, name, name_hash, display_name, labels, type, aggregation, source)
       VALUES ($1, 'other', sha256('other'), 'other', '{}', 'gauge', 'last', 'http') RETURNING id`,
      [other],
    );
    // After the times that the rounds of this application consider.
    const far = app.clock.seconds + 10 * DAY;
    const put = (metricId: number, orgId: number, count: number, state: string, at: number) =>
      query(
        `INSERT INTO anomaly_candidate (metric_id, start_timestamp, org_id, event, state, deadline, check_at)
         SELECT $1, $4::float8 + n, $2, '{}', $5, $4, $4::float8 + n / 1000.0 FROM generate_series(1, $3::integer) AS n`,
        [metricId, orgId, count, at, state],
      );
    const { id, orgId } = metrics[0]!;
    await put(id, orgId, 100, 'pending', far);
    await put(metric!.id, other, 2, 'pending', far + 100);
    await put(metric!.id, other, 2, 'matched', far - 100);
    const claimed = await app.get(CandidateRepository).claim(far + 200, far + 300, 8);
    const taken = claimed.map((row) => `${row.orgId === other ? 'other' : 'many'} ${row.state}`).sort();
    expect(taken).toEqual([...Array<string>(6).fill('many pending'), 'other pending', 'other pending']);
    await query('DELETE FROM anomaly_candidate');
  });
});
