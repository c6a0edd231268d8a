import { START } from '../../../../../test/support/hand-clock.js';
import { DemoApp } from '../../../../../test/support/demo-app.js';
import { until } from '../../../../../test/support/product.js';
import { FirstStartService } from '../../people/setup/first-start.service.js';
import { OrgSummaryService } from '../organisation/org-summary.service.js';
import { DemoFeedsService, type Feeding } from './demo-feeds.service.js';
import { DemoHistoryService } from './demo-history.service.js';
import { DemoResetService } from './demo-reset.service.js';
import { DemoStoryService } from './demo-story.service.js';
import { LiveDemosService } from './live-demos.service.js';

const DAY = 86_400;
const stop = new AbortController().signal;

let app: DemoApp;
let orgId: number;

async function begin(): Promise<void> {
  app = await DemoApp.create({ detects: true });
  orgId = (await app.get(FirstStartService).run())!.orgId;
  // Anomalies are scheduled relative to the creation of the organisation.
  await rows('UPDATE org SET created_at = to_timestamp($1)', START);
}

const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
  app.database.dataSource.query<T[]>(sql, parameters);

async function feedingOf(id: number): Promise<Feeding> {
  await rows('UPDATE org SET created_at = to_timestamp($1) WHERE id = $2', START, id);
  const org = (await app.get(LiveDemosService).list()).find((one) => one.id === id)!;
  return app.get(DemoFeedsService).open(org);
}
const runStory = async (id = orgId): Promise<void> =>
  app.get(DemoHistoryService).send(await feedingOf(id), () => undefined, stop);

/** The trained patterns, confirmed anomalies and tunings of a demo. */
async function taught(id: number) {
  const patterns = await rows<{ origin: string; label: string }>(
    `SELECT origin, label FROM pattern WHERE org_id = $1 AND origin = 'trained' ORDER BY id`,
    id,
  );
  const confirmed = await rows<{ name: string }>(
    'SELECT m.name FROM anomaly a JOIN metric m ON m.id = a.metric_id WHERE a.org_id = $1 AND a.positive',
    id,
  );
  const tunings = await rows<{ id: number; direction: string }>(
    'SELECT id, direction FROM tuning WHERE org_id = $1',
    id,
  );
  return { patterns, confirmed: confirmed.map(({ name }) => name), tunings };
}

describe('the story of a demo', () => {
  beforeEach(begin);
  afterEach(() => app.close());

  it('is created once, and not again after a restart or when an administrator deletes the tuning', async () => {
    await runStory();
    const before = await taught(orgId);
    await rows('DELETE FROM tuning WHERE org_id = $1', orgId);
    await runStory();
    expect(await taught(orgId)).toEqual({ ...before, tunings: [] });
    const acts = await rows<{ action: string; actor_type: string }>(
      `SELECT action, actor_type FROM audit_entry WHERE org_id = $1 AND action IN ('anomaly.train', 'tuning.add') ORDER BY id`,
      orgId,
    );
    expect(acts).toEqual(
      ['anomaly.train', 'anomaly.train', 'tuning.add'].map((action) => ({ action, actor_type: 'system' })),
    );
  });

  it('is kept by a nightly reset, and created again if its tuning was deleted', async () => {
    const id = (await app.get(LiveDemosService).list()).find(({ name }) => name.includes('web shop'))!.id;
    await runStory(id);
    const before = await taught(id);
    expect(before.tunings).toHaveLength(1);
    app.clock.seconds += DAY;
    expect(await app.get(DemoResetService).runIfScheduled(id)).toBe(true);
    expect(await taught(id)).toEqual(before);
    // For example by an operator.
    await rows('DELETE FROM tuning WHERE org_id = $1', id);
    await app.get(DemoStoryService).finish(await feedingOf(id), stop);
    expect((await taught(id)).tunings).toHaveLength(1);
  });

  it('omits anomalies that the detector did not find', async () => {
    const feeding = await feedingOf(orgId);
    await app.get(DemoStoryService).finish(feeding, stop);
    expect(await taught(orgId)).toMatchObject({ patterns: [], confirmed: [], tunings: [{ direction: 'up' }] });
    expect(await app.get(DemoStoryService).nextTeachingAt(feeding, 0)).toBeNull();
  });
});

/** A recorded message of the watchers of a demo. */
interface Recorded {
  watcher: string;
  kind: string;
  phase: string;
  state: string;
  suppressedBy: string | null;
  channel: string;
  recipient: string;
  watcherId: number;
  message: string;
  at: number;
  sendAt: Date | null;
  anomalyId: number | null;
  title: string;
}
const recorded = (id: number): Promise<Recorded[]> =>
  rows<Recorded>(
    `SELECT w.name AS watcher, a.kind, d.phase, d.state, d.suppressed_by AS "suppressedBy", d.channel, d.recipient,
            w.id AS "watcherId", d.message, extract(epoch FROM d.settled_at)::float8 AS at, d.due_at AS "sendAt",
            a.anomaly_id AS "anomalyId", a.content->>'title' AS title
       FROM alert_delivery d JOIN alert a ON a.id = d.alert_id JOIN watcher w ON w.id = a.watcher_id
      WHERE d.org_id = $1 AND a.key LIKE 'replay/%' ORDER BY d.id`,
    id,
  );
const watchersOf = (id: number): Promise<{ id: number; name: string }[]> =>
  rows('SELECT id, name FROM watcher WHERE org_id = $1 AND deleted_at IS NULL ORDER BY id', id);

describe.each(['shop', 'factory'] as const)('the demo of the %s, once it is complete', (theme) => {
  let id: number;
  let story: Feeding['story'];

  beforeAll(async () => {
    await begin();
    const list = await app.get(LiveDemosService).list();
    id = theme === 'shop' ? orgId : list.find(({ name }) => name.includes('factory'))!.id;
    ({ story } = await feedingOf(id));
    await runStory(id);
  }, 120_000);
  afterAll(() => app.close());

  it('has a trained job with later matches, an incident with an origin, a confirmed anomaly and a tuning', async () => {
    const lesson = await taught(id);
    expect(lesson.patterns).toEqual([{ origin: 'trained', label: story.job.name }]);
    expect(lesson.confirmed).toEqual([story.outage.metric]);
    expect(lesson.tunings).toEqual([{ id: expect.any(Number), direction: story.noisy.direction }]);

    const trained = await rows<{ start: number; name: string }>(
      `SELECT a.start_timestamp AS start, m.name FROM anomaly a JOIN metric m ON m.id = a.metric_id
        WHERE a.org_id = $1 AND a.state = 'trained'`,
      id,
    );
    expect(trained.map(({ name }) => name)).toEqual([story.job.metric]);
    const matches = await until('later nights to be matches', async () => {
      const found = await rows<{ start: number }>(
        'SELECT start_timestamp AS start FROM pattern_match WHERE org_id = $1 ORDER BY 1',
        id,
      );
      return found.length > 0 ? found : undefined;
    });
    expect(trained[0]!.start).toBeLessThan(story.beginsAt + 2.5 * DAY);
    for (const { start } of matches) expect(start).toBeGreaterThan(trained[0]!.start + DAY / 2);

    const { summary } = await app.get(OrgSummaryService).getSummary(id);
    expect(summary.matches.last_30d).toBe(matches.length);
    expect(summary.patterns).toMatchObject({ trained: 1, pending: 0 });

    const incident = await until('the outage to be an incident', async () => {
      const found = await rows<{ members: string[]; first: string }>(
        `SELECT i.origins->0->>'metric' AS first, array_agg(DISTINCT m.name) AS members FROM incident i
           JOIN incident_anomaly x ON x.incident_id = i.id JOIN anomaly a ON a.id = x.anomaly_id
           JOIN metric m ON m.id = a.metric_id
          WHERE i.org_id = $1 AND a.start_timestamp BETWEEN $2 AND $3
          GROUP BY i.id, i.origins HAVING count(DISTINCT m.id) > 1`,
        id,
        story.outage.from - 600,
        story.outage.from + 600,
      );
      return found[0];
    });
    expect(incident.members).toContain(story.outage.metric);
    expect(incident.members).toContain(incident.first);
  });

  it('has the alerts of its history, marked as a replay', async () => {
    const all = await recorded(id);
    for (const { channel, recipient, watcherId, message, sendAt, state, suppressedBy } of all) {
      expect([channel, recipient]).toEqual(['demo', `watcher-${String(watcherId)}`]);
      expect(message).toMatch(/^Replayed from the history of the demo .* nothing was sent/);
      expect(sendAt).toBeNull();
      expect(state).toBe(suppressedBy === null ? 'sent' : 'suppressed');
    }
    const sent = all.filter(({ state, phase }) => state === 'sent' && phase === 'opened');
    for (const { at } of sent) {
      expect(at).toBeGreaterThan(story.beginsAt);
      expect(at).toBeLessThan(START);
    }
    const major = sent.filter(({ watcher }) => watcher === 'Everything major and critical');
    expect(major.length).toBeGreaterThan(0);
    const about = await rows<{ severity: number }>('SELECT severity FROM anomaly WHERE id = ANY($1)', [
      ...major.map(({ anomalyId }) => anomalyId),
    ]);
    for (const { severity } of about) expect(severity).toBeGreaterThanOrEqual(50);
    // Lists are read by id, so the messages of each watcher must be in order of time.
    for (const { id: watcherId } of await watchersOf(id)) {
      const times = all.filter((one) => one.watcherId === watcherId).map(({ at }) => at);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });
});

describe('the alerts of a demo', () => {
  beforeEach(begin);
  afterEach(() => app.close());

  it('are recorded once, and again for a watcher that a reset has recreated', async () => {
    const id = (await app.get(LiveDemosService).list()).find(({ name }) => name.includes('web shop'))!.id;
    await runStory(id);
    const before = await recorded(id);
    expect(before.length).toBeGreaterThan(0);
    await runStory(id);
    expect(await recorded(id)).toEqual(before);

    // For example by an operator.
    const [changed, ...others] = await watchersOf(id);
    await rows(`UPDATE watcher SET min_severity = 90, updated_at = now() WHERE id = $1`, changed!.id);
    app.clock.seconds += DAY;
    expect(await app.get(DemoResetService).runIfScheduled(id)).toBe(true);
    const created = await until('the watcher to be made again', async () => {
      const found = (await watchersOf(id)).find(({ name }) => name === changed!.name);
      return found === undefined || found.id === changed!.id ? undefined : found;
    });
    await app.get(DemoHistoryService).finish(await feedingOf(id), stop);
    const after = await recorded(id);
    const of = (watcherId: number) => (one: Recorded) => one.watcherId === watcherId;
    expect(after.filter(of(created.id)).length).toBeGreaterThan(0);
    for (const other of others) expect(after.filter(of(other.id))).toEqual(before.filter(of(other.id)));
  }, 120_000);
});
