import { START } from '../../../../../test/support/hand-clock.js';
import { DemoApp } from '../../../../../test/support/demo-app.js';
import { until } from '../../../../../test/support/product.js';
import { FirstStartService } from '../../people/setup/first-start.service.js';
import { DemoFeeds, type Feeding } from './demo-feeds.service.js';
import { DemoHistory } from './demo-history.service.js';
import { DemoReset } from './demo-reset.service.js';
import { DemoStories } from './demo-story.service.js';
import { LiveDemos } from './live-demos.service.js';

const DAY = 86_400;
const stop = new AbortController().signal;

let app: DemoApp;
let orgId: number;

beforeEach(async () => {
  app = await DemoApp.create({ detects: true });
  orgId = (await app.get(FirstStartService).run())!.orgId;
  // Trouble is scheduled around the beginning of the organisation.
  await rows('UPDATE org SET created_at = to_timestamp($1)', START);
});
afterEach(() => app.close());

const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
  app.database.dataSource.query<T[]>(sql, parameters);

async function feedingOf(id: number): Promise<Feeding> {
  await rows('UPDATE org SET created_at = to_timestamp($1) WHERE id = $2', START, id);
  const org = (await app.get(LiveDemos).list()).find((one) => one.id === id)!;
  return app.get(DemoFeeds).open(org);
}
const tell = async (id = orgId): Promise<void> => app.get(DemoHistory).send(await feedingOf(id), () => undefined, stop);

/** What a demo was taught. */
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
  it.each(['shop', 'factory'] as const)(
    'of the %s has a job that is trained and matches on later nights, an incident with its origin, a confirmed anomaly and a tuning',
    async (theme) => {
      const list = await app.get(LiveDemos).list();
      const id = theme === 'shop' ? orgId : list.find(({ name }) => name.includes('factory'))!.id;
      const { story } = await feedingOf(id);
      await tell(id);

      const told = await taught(id);
      expect(told.patterns).toEqual([{ origin: 'trained', label: story.job.name }]);
      expect(told.confirmed).toEqual([story.outage.metric]);
      expect(told.tunings).toEqual([{ id: expect.any(Number), direction: story.noisy.direction }]);

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
    },
  );

  it('is made once: not again after a restart, nor after an administrator has deleted the tuning', async () => {
    await tell();
    const before = await taught(orgId);
    await rows('DELETE FROM tuning WHERE org_id = $1', orgId);
    await tell();
    expect(await taught(orgId)).toEqual({ ...before, tunings: [] });
    const acts = await rows<{ action: string; actor_type: string }>(
      `SELECT action, actor_type FROM audit_entry WHERE org_id = $1 AND action IN ('anomaly.train', 'tuning.add') ORDER BY id`,
      orgId,
    );
    expect(acts).toEqual(
      ['anomaly.train', 'anomaly.train', 'tuning.add'].map((action) => ({ action, actor_type: 'system' })),
    );
  });

  it('is there after a nightly reset, which has nothing to put back for it', async () => {
    const id = (await app.get(LiveDemos).list()).find(({ name }) => name.includes('web shop'))!.id;
    await tell(id);
    const before = await taught(id);
    expect(before.tunings).toHaveLength(1);
    app.clock.seconds += DAY;
    expect(await app.get(DemoReset).runIfDue(id)).toBe(true);
    expect(await taught(id)).toEqual(before);
    // Somebody with the rights of the operator took it out.
    await rows('DELETE FROM tuning WHERE org_id = $1', id);
    await app.get(DemoStories).finish(await feedingOf(id), stop);
    expect((await taught(id)).tunings).toHaveLength(1);
  });

  it('leaves out what the detector did not find', async () => {
    const feeding = await feedingOf(orgId);
    await app.get(DemoStories).finish(feeding, stop);
    expect(await taught(orgId)).toMatchObject({ patterns: [], confirmed: [], tunings: [{ direction: 'up' }] });
    expect(await app.get(DemoStories).lessonAt(feeding, 0)).toBeNull();
  });
});
