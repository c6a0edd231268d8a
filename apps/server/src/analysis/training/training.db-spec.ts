import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { LearningApp } from '../../../../../test/support/learning-app.js';
import { until } from '../../../../../test/support/product.js';
import { CandidateCheck } from '../match/candidate-check.service.js';
import { PatternBuilder } from './pattern-builder.service.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** A midnight, 12 days before the clock begins. */
const MIDNIGHT = START - (START % DAY) - 12 * DAY;

interface Job {
  start?: number;
  length?: number;
  height?: number;
}

/** Seeded noise around 100; minutes of a day. */
function quiet(timestamp: number): number {
  const noise = Math.sin(timestamp * 12.9898) * 43_758.5453;
  return 100 + (noise - Math.floor(noise)) * 6;
}

/** A day of points; on nights with a job it is there. */
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

  /** All that was sent is detected, and all that it gave rise to is checked. */
  async function settled(metric: string, lastTimestamp: number): Promise<void> {
    await until(`${metric} to be detected`, async () => {
      const rows = await app.database.dataSource.query(
        'SELECT last_timestamp AS last FROM metric WHERE name = $1 AND org_id = $2',
        [metric, orgId],
      );
      return rows[0]?.last >= lastTimestamp - MINUTE ? true : undefined;
    });
    await until('the checks to be over', async () => {
      await app.get(CandidateCheck).run();
      const [{ count }] = await app.database.dataSource.query(
        `SELECT count(*)::integer AS count FROM anomaly_candidate WHERE state = 'pending'`,
      );
      return count === 0 ? true : undefined;
    });
  }

  /** Seven quiet days and the first night of a job, trained. Answers the anomaly. */
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
    await app.get(PatternBuilder).run();
    return answer;
  }

  /** Anomalies of one of the days. */
  const onDay = async (metric: string, number: number) =>
    (await anomaliesOf(metric)).filter(({ timestamp }: { timestamp: number }) => {
      return timestamp >= MIDNIGHT + number * DAY && timestamp < MIDNIGHT + (number + 1) * DAY;
    });

  it('a nightly job trained once is silent the next nights: recorded as matches, and explained', async () => {
    const answer = await trained('nightly');
    expect(answer.anomaly).toMatchObject({ state: 'trained', close_reason: 'trained', positive: false });
    expect(answer.pending_patterns.map(({ duration }: { duration: number }) => duration)).toEqual([DAY, 7 * DAY]);
    await send('nightly', day(8, {}));
    await send('nightly', day(9, {}));
    await settled('nightly', MIDNIGHT + 10 * DAY);
    expect(await onDay('nightly', 8)).toEqual([]);
    expect(await onDay('nightly', 9)).toEqual([]);
    const [first] = await matchesOf('nightly');
    const { match, pattern, timeseries, pattern_timeseries: curve } = await call('get', `/match/${String(first.id)}`);
    expect(match).toMatchObject({ timestamp: MIDNIGHT + 8 * DAY + 2 * HOUR, pattern_label: 'nightly backup' });
    expect(match.similarity).toBeGreaterThan(0.95);
    expect(match.explanation).toContain('Looks like "nightly backup"');
    expect(pattern).toMatchObject({ origin: 'trained', shadow: false, label: 'nightly backup' });
    expect(timeseries).toHaveLength(curve.length);
    const events = await app.eventTexts(orgId);
    expect(events.map(([type]) => type)).toEqual(expect.arrayContaining(['anomaly_trained', 'pattern_created']));
  });

  it.each<[what: string, job: Job]>([
    ['an hour late', { start: 180 }],
    ['twice as high', { height: 100 }],
    ['half as long', { length: 15 }],
  ])('still alerts when the job is %s', async (what, job) => {
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
});
