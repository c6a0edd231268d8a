import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { LearningApp } from '../../../../../test/support/learning-app.js';
import { until } from '../../../../../test/support/product.js';
import { type AnomalyChanged, AnomalyEvents } from '../../analysis/anomaly/anomaly.events.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { CandidateCheckService } from '../match/candidate-check.service.js';
import { CandidateDeadlineService } from '../match/candidate-deadline.service.js';
import { CompareExecutorService } from '../match/compare-executor.service.js';
import { RecurrenceLearningService } from './recurrence-learning.service.js';
import { PatternBuilderService } from './pattern-builder.service.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** A midnight twelve days before the clock starts. */
const MIDNIGHT = START - (START % DAY) - 12 * DAY;

interface Job {
  start?: number;
  length?: number;
  height?: number;
}

/** Returns seeded noise around 100. */
function quiet(timestamp: number): number {
  const noise = Math.sin(timestamp * 12.9898) * 43_758.5453;
  return 100 + (noise - Math.floor(noise)) * 6;
}

/** Returns the points of a day, including the job if there is one. */
function day(number: number, job?: Job): [number, number][] {
  const { start = 120, length = 30, height = 50 } = job ?? {};
  return Array.from({ length: 1440 }, (_, minute) => {
    const timestamp = MIDNIGHT + number * DAY + minute * MINUTE;
    const isThere = job !== undefined && minute >= start && minute < start + length;
    return [timestamp, quiet(timestamp) + (isThere ? height : 0)];
  });
}

describe('training', () => {
  let app: LearningApp;
  let orgId: number;
  let token: string;

  beforeAll(async () => {
    app = await LearningApp.create();
  });
  afterAll(() => app.close());

  beforeEach(async () => {
    ({ id: orgId } = await app.anOrg({ timezone: 'UTC' }));
    token = await app.aToken(orgId, Permission.Read, Permission.Write, Permission.Ingest, Permission.Alert);
  });

  async function send(metric: string, points: [number, number][]): Promise<void> {
    app.clock.seconds = points.at(-1)![0] + 30;
    const { status } = await app
      .http()
      .post('/ingest/metrics')
      .set('X-Auth-Token', token)
      .set('X-Backfill', 'true')
      .send({ metrics: points.map(([timestamp, value]) => ({ metric, timestamp, value })) });
    expect(status).toBe(204);
  }

  async function call(method: 'get' | 'post' | 'put', path: string, body?: object, status = 200) {
    const request = app.http()[method](`/api${path}`).set('X-Auth-Token', token);
    const answer = await (body === undefined ? request : request.send(body));
    expect([answer.status, answer.body.data.error]).toEqual([status, status === 200 ? undefined : expect.anything()]);
    return answer.body.data;
  }

  const whole = `from=${String(MIDNIGHT)}&until=${String(START + 30 * DAY)}&limit=1000`;
  const anomaliesOf = async (metric: string) =>
    (await call('get', `/metric/${metric}/anomalies?${whole}&order=oldest`)).anomalies;
  const matchesOf = (metric: string) =>
    app.database.dataSource.query(
      `SELECT x.* FROM pattern_match x JOIN metric m ON m.id = x.metric_id WHERE m.name = $1 AND m.org_id = $2 ORDER BY x.start_timestamp`,
      [metric, orgId],
    );

  /** Returns the types of stream events about patterns and matches, oldest first. */
  const streamed = async (): Promise<string[]> => {
    const rows = await app.database.dataSource.query<{ type: string }[]>(
      `SELECT type FROM stream_event WHERE org_id = $1 AND type ~ '^(pattern|match)[.]' ORDER BY id`,
      [orgId],
    );
    return rows.map(({ type }) => type);
  };

  /** Waits until all sent points are judged, and all resulting work is done. */
  async function settled(metric: string, lastTimestamp: number): Promise<void> {
    await until(`${metric} to be detected`, async () => {
      const rows = await app.database.dataSource.query(
        'SELECT last_timestamp AS last FROM metric WHERE name = $1 AND org_id = $2',
        [metric, orgId],
      );
      return rows[0]?.last >= lastTimestamp - MINUTE ? true : undefined;
    });
    await until('the checks to be over', async () => {
      await app.get(CandidateCheckService).run();
      const [{ count }] = await app.database.dataSource.query(
        `SELECT count(*)::integer AS count FROM anomaly_candidate WHERE state = 'pending'`,
      );
      return count === 0 ? true : undefined;
    });
  }

  /** Sends seven quiet days and the first night of a job, trains its anomaly, and returns the response. */
  async function trained(metric: string, members: object = {}) {
    for (let number = 0; number < 7; number++) await send(metric, day(number));
    await send(metric, day(7, {}));
    await settled(metric, MIDNIGHT + 8 * DAY);
    const [anomaly] = (await anomaliesOf(metric)).filter(
      ({ timestamp }: { timestamp: number }) => timestamp >= MIDNIGHT + 7 * DAY,
    );
    expect(anomaly).toMatchObject({ timestamp: MIDNIGHT + 7 * DAY + 2 * HOUR });
    const answer = await call('post', '/anomaly/train', {
      anomaly_id: anomaly.id,
      label: 'nightly backup',
      ...members,
    });
    await app.get(PatternBuilderService).run();
    return answer;
  }

  /** Returns the anomalies of a day. */
  const onDay = async (metric: string, number: number) =>
    (await anomaliesOf(metric)).filter(({ timestamp }: { timestamp: number }) => {
      return timestamp >= MIDNIGHT + number * DAY && timestamp < MIDNIGHT + (number + 1) * DAY;
    });

  it('suppresses a nightly job on the next nights, as explained matches with the compared curves', async () => {
    const answer = await trained('nightly');
    expect(answer.anomaly).toMatchObject({ state: 'trained', close_reason: 'trained', positive: false });
    expect(answer.pending_patterns.map(({ duration }: { duration: number }) => duration)).toEqual([DAY, 7 * DAY]);
    // Also for the training by a token.
    const onboarding = (await call('get', '/progress?type=onboarding')).progress[0];
    expect(onboarding.steps.find(({ key }: { key: string }) => key === 'train_pattern')).toMatchObject({ done: true });
    await send('nightly', day(8, {}));
    await send('nightly', day(9, {}));
    await settled('nightly', MIDNIGHT + 10 * DAY);
    expect(await onDay('nightly', 8)).toEqual([]);
    expect(await onDay('nightly', 9)).toEqual([]);
    const [first] = await matchesOf('nightly');
    const { match, pattern, timeseries, pattern_timeseries: curve } = await call('get', `/match/${String(first.id)}`);
    expect(match).toMatchObject({ timestamp: MIDNIGHT + 8 * DAY + 2 * HOUR, pattern_label: 'nightly backup' });
    expect([match.unit, pattern.unit]).toEqual([null, null]);
    expect(match.similarity).toBeGreaterThan(0.95);
    expect(match.explanation).toContain('Looks like "nightly backup"');
    expect(pattern).toMatchObject({ origin: 'trained', shadow: false, label: 'nightly backup' });
    // Backfilled history is in the lists, but not in the stream.
    expect(await streamed()).toEqual(['pattern.created', 'pattern.created']);
    await call('put', `/pattern/${String(pattern.id)}`, { label: 'backup' });
    await call('post', `/match/${String(first.id)}/validate`, { valid: true });
    expect((await streamed()).slice(2)).toEqual(['pattern.updated', 'pattern.updated']);
    // Both compared curves, slot by slot: the job itself and the quarter of an hour before it.
    expect(timeseries).toHaveLength(curve.length);
    expect(timeseries.length).toBeGreaterThanOrEqual(30);
    const apart = timeseries.map(([, value]: [number, number], slot: number) => Math.abs(value - curve[slot][1]));
    expect(Math.max(...apart)).toBeLessThan(10);
    expect((await call('get', '/metric/nightly')).metric).toMatchObject({
      pattern_count: 2,
      match_count: (await matchesOf('nightly')).length,
    });
    expect((await call('get', '/metrics/mostrecentlymatched')).metrics[0]).toMatchObject({ metric: 'nightly' });
    const events = await app.eventTexts(orgId);
    expect(events).toEqual(
      expect.arrayContaining([
        ['anomaly_trained', 'The anomaly of nightly was marked as expected.'],
        ['pattern_created', 'A pattern of nightly was created: nightly backup.'],
      ]),
    );
  });

  it.each<[what: string, job: Job]>([
    ['an hour late', { start: 180 }],
    ['twice as high', { height: 100 }],
    ['half as long', { length: 15 }],
  ])('still alerts when a trained nightly job is %s', async (what, job) => {
    const metric = what.replaceAll(' ', '-');
    await trained(metric);
    await send(metric, day(8, job));
    await settled(metric, MIDNIGHT + 9 * DAY);
    const { start = 120 } = job;
    const found = await onDay(metric, 8);
    expect(found.map(({ timestamp }: { timestamp: number }) => timestamp)).toContain(
      MIDNIGHT + 8 * DAY + start * MINUTE,
    );
  });

  it('previews the effect of a pattern on a dry run, and stores nothing', async () => {
    for (let number = 0; number < 7; number++) await send('preview', day(number));
    await send('preview', day(7, {}));
    await send('preview', day(8, {}));
    await settled('preview', MIDNIGHT + 9 * DAY);
    const [first] = await onDay('preview', 7);
    const [second] = await onDay('preview', 8);
    const answer = await call('post', '/anomaly/train', { anomaly_id: first.id, dry_run: true });
    expect(answer.preview).toMatchObject({ days: 30, nights_checked: 8 });
    expect(answer.preview.would_match.map(({ id }: { id: number }) => id)).toContain(second.id);
    expect(answer.preview.examples).toMatchObject([
      { what: 'an hour later', would_open: true, verdict: 'opens' },
      { what: 'twice as high', would_open: true, verdict: 'opens' },
      { what: 'half as long', would_open: true, verdict: 'opens' },
      // The job has occurred only once so far, so it is unknown whether it recurs.
      { what: 'missing', would_open: false, verdict: 'unknown', text: expect.stringContaining('seen once') },
    ]);
    expect((await onDay('preview', 7))[0].state).toBe('resolved');
    const [{ count }] = await app.database.dataSource.query(
      'SELECT count(*)::integer AS count FROM training WHERE org_id = $1',
      [orgId],
    );
    expect(count).toBe(0);
  });

  it('is rejected the second time, and can be undone, so that matches become anomalies again', async () => {
    const { anomaly } = await trained('undone');
    expect((await call('post', '/anomaly/train', { anomaly_id: anomaly.id }, 409)).error.code).toBe('already_trained');
    await send('undone', day(8, {}));
    await settled('undone', MIDNIGHT + 9 * DAY);
    const matched = await matchesOf('undone');
    expect(matched.length).toBeGreaterThan(0);
    const undone = await call('post', `/anomaly/${String(anomaly.id)}/untrain`, {});
    expect(undone.removed_pattern_ids).toHaveLength(2);
    expect(undone.anomaly).toMatchObject({ state: 'resolved', close_reason: 'recovered', patterns: [] });
    expect(await matchesOf('undone')).toEqual([]);
    expect((await onDay('undone', 8)).length).toBe(matched.length);
    expect((await call('post', `/anomaly/${String(anomaly.id)}/untrain`, {})).removed_pattern_ids).toEqual([]);
    const [other] = await onDay('undone', 8);
    await call('post', `/anomaly/${String(other.id)}/untrain`, {}, 409);
  });

  it('creates no more matches after its pattern and the descendants were disabled', async () => {
    await trained('disabled');
    const { patterns } = await call('get', '/metric/disabled/patterns');
    const ids = patterns.map(({ id }: { id: number }) => id);
    await app.database.dataSource.query(
      `INSERT INTO pattern (org_id, metric_id, parent_id, root_id, generation, origin, duration, part_start, part_end, fine_start,
         fine_step, fine, context_start, context_step, context, starts, similarity_threshold)
       SELECT org_id, metric_id, id, id, 1, 'learnt', duration, part_start, part_end, fine_start, fine_step, fine, context_start,
         context_step, context, starts, similarity_threshold FROM pattern WHERE id = $1`,
      [ids[0]],
    );
    const { disabled_ids: disabled } = await call('put', `/pattern/${String(ids[0])}`, { enabled: false });
    expect(disabled).toHaveLength(2);
    expect((await call('get', `/pattern/${String(ids[1])}/disable`)).disabled_ids).toEqual([ids[1]]);
    await send('disabled', day(8, {}));
    await settled('disabled', MIDNIGHT + 9 * DAY);
    expect(await matchesOf('disabled')).toEqual([]);
    expect((await onDay('disabled', 8)).length).toBeGreaterThan(0);
  });

  it('becomes stricter after a wrong match, which becomes an anomaly, and the verdict can be changed', async () => {
    await trained('wrong');
    await send('wrong', day(8, {}));
    await settled('wrong', MIDNIGHT + 9 * DAY);
    const [row] = await matchesOf('wrong');
    const path = `/match/${String(row.id)}/validate`;
    const wrong = await call('post', path, { valid: false });
    expect(wrong.match.validated).toBe(false);
    expect(wrong.pattern.invalid_matches).toBe(1);
    expect(wrong.pattern.similarity_threshold > row.similarity || !wrong.pattern.enabled).toBe(true);
    expect(wrong.anomaly_id).toBe((await onDay('wrong', 8))[0].id);
    const right = await call('post', path, { valid: true });
    expect(right).toMatchObject({ match: { validated: true }, pattern: { invalid_matches: 0 } });
    expect((await onDay('wrong', 8))[0].state).toBe('trained');
  });

  it('with only a week creates a companion pattern of a day in shadow', async () => {
    await trained('companion', { durations: ['7d'] });
    const { patterns } = await call('get', '/metric/companion/patterns?order=oldest');
    expect(patterns.map(({ duration, origin, shadow }: Record<string, unknown>) => [duration, origin, shadow])).toEqual(
      [
        [7 * DAY, 'trained', false],
        [DAY, 'companion', true],
      ],
    );
  });

  it('with only a week activates the companion pattern after three consecutive agreements', async () => {
    await trained('agreed', { durations: ['7d'] });
    const isShadow = async (): Promise<boolean> => {
      const { patterns } = await call('get', '/metric/agreed/patterns');
      return patterns.find(({ origin }: { origin: string }) => origin === 'companion').shadow;
    };
    const agreements = async (): Promise<number> => {
      const [row] = await app.database.dataSource.query(
        `SELECT p.agreements FROM pattern p JOIN metric m ON m.id = p.metric_id
         WHERE m.name = 'agreed' AND p.org_id = $1 AND p.origin = 'companion'`,
        [orgId],
      );
      return row.agreements;
    };
    // Every third night: the detector adapts to a job that runs every night or every other night.
    for (const [place, number] of [8, 11, 14].entries()) {
      expect(await isShadow()).toBe(true);
      for (const quiet of place > 0 ? [number - 2, number - 1] : []) await send('agreed', day(quiet));
      await send('agreed', day(number, {}));
      await settled('agreed', MIDNIGHT + (number + 1) * DAY);
      await until('the match of the night to be final', async () => {
        app.clock.seconds += MINUTE;
        await app.get(CandidateCheckService).run();
        return (await agreements()) > place ? true : undefined;
      });
    }
    expect(await isShadow()).toBe(false);
  });

  it('still alerts when a trained nightly job is missing, once the detector expects it', async () => {
    await trained('missing');
    const nights = [8, 9, 10, 11, 12, 13];
    for (const number of nights) await send('missing', day(number, {}));
    await settled('missing', MIDNIGHT + 14 * DAY);
    // The anomaly that opened before its check had a result became a match.
    const opened = (await anomaliesOf('missing')).filter(({ state }: { state: string }) => state !== 'trained');
    expect(opened).toEqual([]);
    await send('missing', day(14));
    await settled('missing', MIDNIGHT + 15 * DAY);
    const [anomaly] = (await onDay('missing', 14)).filter(({ state }: { state: string }) => state !== 'trained');
    expect(anomaly.timestamp).toBeGreaterThanOrEqual(MIDNIGHT + 14 * DAY + 2 * HOUR);
    expect(anomaly.timestamp).toBeLessThan(MIDNIGHT + 14 * DAY + 3 * HOUR);
  });

  it('of a confirmed problem suppresses nothing, and labels similar anomalies', async () => {
    for (let number = 0; number < 7; number++) await send('problem', day(number));
    await send('problem', day(7, {}));
    await settled('problem', MIDNIGHT + 8 * DAY);
    const [anomaly] = await onDay('problem', 7);
    const body = { anomaly_id: anomaly.id, expected: false, remember: true, label: 'disk full' };
    expect((await call('post', '/anomaly/train', body)).anomaly).toMatchObject({ positive: true, state: 'resolved' });
    await app.get(PatternBuilderService).run();
    const remembered = `SELECT p.id, p.enabled FROM pattern p JOIN metric m ON m.id = p.metric_id
      WHERE m.name = 'problem' AND p.positive ORDER BY p.id`;
    const first = await app.database.dataSource.query(remembered);
    expect(first.length).toBeGreaterThan(0);
    // A repeated training is stored once.
    expect((await call('post', '/anomaly/train', body)).progress_id).toBeNull();
    await app.get(PatternBuilderService).run();
    expect(await app.database.dataSource.query(remembered)).toEqual(first);
    await send('problem', day(8, {}));
    await settled('problem', MIDNIGHT + 9 * DAY);
    const [next] = await onDay('problem', 8);
    await until('it to be named', async () => {
      await app.get(CandidateCheckService).run();
      const { anomaly: found } = await call('get', `/anomaly/${String(next.id)}`);
      return found.patterns[0]?.label === 'disk full' ? true : undefined;
    });
  });

  it('opens an unconfirmed anomaly at the deadline while the comparison hangs, and matches it later', async () => {
    await trained('deadline');
    const executor = app.get(CompareExecutorService);
    const compare = executor.compare.bind(executor);
    let release = (): void => undefined;
    const hung = new Promise<void>((resolve) => (release = resolve));
    executor.compare = async (...args) => {
      await hung;
      return compare(...args);
    };
    const published: AnomalyChanged[] = [];
    const end = app.get(AnomalyEvents).subscribe((change) => void published.push(change));
    try {
      await send('deadline', day(8, {}));
      await until('the candidate', async () => (await candidates('deadline')) > 0 || undefined);
      app.clock.seconds += 10;
      const open = await until('the anomaly', async () => {
        await app.get(CandidateDeadlineService).run();
        return (await onDay('deadline', 8))[0];
      });
      expect(open.unconfirmed).toBe(true);
      expect(published.find(({ type }) => type === 'opened')).toMatchObject({ anomalyId: open.id, unconfirmed: true });
      release();
      await until('the match', async () => {
        await app.get(CandidateCheckService).run();
        return (await matchesOf('deadline'))[0];
      });
      expect((await onDay('deadline', 8))[0]).toMatchObject({ id: open.id, state: 'trained', unconfirmed: false });
      expect(published.find(({ matchId }) => matchId !== undefined)).toMatchObject({
        type: 'closed',
        anomalyId: open.id,
        facts: { closeReason: 'trained' },
      });
    } finally {
      release();
      executor.compare = compare;
      end();
    }
  });

  const candidates = async (metric: string): Promise<number> => {
    const [{ count }] = await app.database.dataSource.query(
      `SELECT count(*)::integer AS count FROM anomaly_candidate c JOIN metric m ON m.id = c.metric_id WHERE m.name = $1`,
      [metric],
    );
    return count;
  };

  it('is rolled back when its connection dies, and can be repeated', async () => {
    for (let number = 0; number < 7; number++) await send('killed', day(number));
    await send('killed', day(7, {}));
    await settled('killed', MIDNIGHT + 8 * DAY);
    const [anomaly] = await onDay('killed', 7);
    const { dataSource } = app.database;
    const other = dataSource.createQueryRunner();
    try {
      await other.startTransaction();
      // The training waits for a table that it writes last; everything else is written.
      await other.query('LOCK TABLE audit_entry IN ACCESS EXCLUSIVE MODE');
      const answer = app.http().post('/api/anomaly/train').set('X-Auth-Token', token).send({ anomaly_id: anomaly.id });
      const failed = answer.then(({ status }) => status);
      await until('its connection to be gone', async () => {
        const [killed] = await dataSource.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%audit_entry%' LIMIT 1`,
        );
        return killed === undefined ? undefined : true;
      });
      expect(await failed).toBeGreaterThanOrEqual(500);
    } finally {
      await other.rollbackTransaction();
      await other.release();
    }
    expect((await onDay('killed', 7))[0]).toMatchObject({ state: 'resolved', pending_patterns: [] });
    for (const table of ['training', 'pending_pattern', 'progress']) {
      const rows = await dataSource.query(
        `SELECT FROM "${table}" WHERE org_id = $1 ${table === 'progress' ? "AND type = 'training'" : ''}`,
        [orgId],
      );
      expect([table, rows]).toEqual([table, []]);
    }
    expect((await call('post', '/anomaly/train', { anomaly_id: anomaly.id })).anomaly.state).toBe('trained');
  });

  describe('from recurring shapes', () => {
    const patternsOf = async (metric: string) =>
      (await call('get', `/metric/${metric}/patterns?order=oldest`)).patterns;

    /** Sends seven quiet days, then nights with and without a job, and waits until everything is learnt. */
    async function repeated(metric: string, nights: readonly number[]): Promise<void> {
      for (let number = 0; number < 7; number++) await send(metric, day(number));
      await continueNights(metric, 7, nights);
    }

    /** Continues from a day to the last of the nights with a job. */
    async function continueNights(metric: string, first: number, nights: readonly number[]): Promise<void> {
      const last = nights.at(-1)!;
      for (let number = first; number <= last; number++) {
        await send(metric, day(number, nights.includes(number) ? {} : undefined));
      }
      await settled(metric, MIDNIGHT + (last + 1) * DAY);
      await until('the anomalies to be over', async () => {
        const open = (await anomaliesOf(metric)).some(({ state }: { state: string }) => state === 'open');
        return open ? undefined : true;
      });
      await app.get(RecurrenceLearningService).run();
    }

    const learnt = (metric: string) =>
      until('the pattern', async () => {
        await app.get(RecurrenceLearningService).run();
        const [pattern] = await patternsOf(metric);
        return pattern;
      });

    it('creates a shadow pattern after three nights, which suppresses nothing until it is validated', async () => {
      // Not every night, because the detector adapts to a nightly job.
      await repeated('repeated', [7, 9]);
      expect(await patternsOf('repeated')).toEqual([]);
      await continueNights('repeated', 10, [12]);
      const pattern = await learnt('repeated');
      expect(pattern).toMatchObject({
        origin: 'recurring',
        shadow: true,
        enabled: true,
        validated: null,
        creator_type: 'machine',
        generation: 1,
        seen_timestamps: [7, 9, 12].map((number) => MIDNIGHT + number * DAY + 2 * HOUR),
      });
      expect((await call('get', '/patterns?waiting=true')).patterns).toMatchObject([{ id: pattern.id }]);
      await continueNights('repeated', 13, [14]);
      expect(await matchesOf('repeated')).toEqual([]);
      expect((await onDay('repeated', 14)).length).toBeGreaterThan(0);
      await call('put', `/pattern/${String(pattern.id)}`, { validated: true });
      await continueNights('repeated', 15, [16]);
      expect(await onDay('repeated', 16)).toEqual([]);
      expect((await matchesOf('repeated')).length).toBeGreaterThan(0);
      expect(await patternsOf('repeated')).toHaveLength(1);
    });

    it('does not recreate a rejected pattern', async () => {
      await repeated('refused', [7, 9, 12]);
      const { id } = await learnt('refused');
      await call('put', `/pattern/${String(id)}`, { validated: false });
      await continueNights('refused', 13, [13, 14]);
      expect(await patternsOf('refused')).toMatchObject([{ id, enabled: false }]);
    });

    it('creates no pattern from the times at which learning is excluded, but from all others', async () => {
      const exclude = (metric: string, start: string) =>
        app.database.dataSource.query(
          `INSERT INTO exclusion (org_id, type_id, chips, recurrence_days, recurrence_start, recurrence_duration_seconds)
           VALUES ($1, 2, $2, '{mon,tue,wed,thu,fri,sat,sun}', $3, 3600)`,
          [orgId, [metric], start],
        );
      await exclude('by.night', '01:30');
      await exclude('by.day', '12:00');
      await app.get(ExclusionDirectoryService).refresh();
      await repeated('by.night', [7, 9, 12]);
      expect(await patternsOf('by.night')).toEqual([]);
      await repeated('by.day', [7, 9, 12]);
      expect(await learnt('by.day')).toMatchObject({ origin: 'recurring' });
      expect(await patternsOf('by.night')).toEqual([]);
    });

    it('creates no pattern from error metrics or confirmed problems', async () => {
      await repeated('backup.errors', [7, 9, 12]);
      expect(await patternsOf('backup.errors')).toEqual([]);
      await repeated('confirmed', [7, 9]);
      for (const { id } of await onDay('confirmed', 7)) {
        await call('post', '/anomaly/train', { anomaly_id: id, expected: false });
      }
      await continueNights('confirmed', 10, [12]);
      expect(await patternsOf('confirmed')).toEqual([]);
    });
  });

  it('is deleted with its metric', async () => {
    await trained('erased');
    await send('erased', day(8, {}));
    await settled('erased', MIDNIGHT + 9 * DAY);
    const [{ id }] = await app.database.dataSource.query('SELECT id FROM metric WHERE name = $1', ['erased']);
    await app.database.dataSource.query('DELETE FROM metric WHERE id = $1', [id]);
    for (const table of ['pattern', 'pending_pattern', 'pattern_match', 'anomaly_candidate']) {
      const rows = await app.database.dataSource.query(`SELECT FROM "${table}" WHERE metric_id = $1`, [id]);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});
