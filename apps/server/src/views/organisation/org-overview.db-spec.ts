import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { bareShape, storeMatch, storePattern } from '../../../../../test/support/patterns.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';

const HOUR = 3600;
const DAY = 24 * HOUR;

let identity: IdentityApp;
beforeAll(async () => {
  identity = await IdentityApp.create();
});
afterAll(() => identity.close());
beforeEach(() => {
  identity.clock.seconds = START;
});

async function overview(orgId: number, ...further: Permission[]) {
  const token = await identity.aToken(orgId, Permission.Read, ...further);
  const { status, body } = await identity.http().get('/api/org/overview').set('X-Auth-Token', token);
  expect(status).toBe(200);
  return body.data;
}

async function aMetric(orgId: number, name: string): Promise<number> {
  const rows: { id: number }[] = await identity.database.dataSource.query(
    `INSERT INTO metric (org_id, name, name_hash, display_name, type, aggregation, source, points, first_timestamp,
                         last_timestamp, resolution_seconds)
     VALUES ($1, $2::text, decode(md5($2::text), 'hex'), $2, 'gauge', 'last', 'http', 5000, $3, $4, 60) RETURNING id`,
    [orgId, name, START - 3 * DAY, START - 30],
  );
  return rows[0]!.id;
}

async function anAnomaly(orgId: number, metricId: number, start: number, end: number | null, score = 0.8) {
  await identity.database.dataSource.query(
    `INSERT INTO anomaly (org_id, metric_id, start_timestamp, end_timestamp, peak_timestamp, score, severity, kind, state)
     VALUES ($1, $2, $3, $4, $3, $5, 60, 'spike', $6)`,
    [orgId, metricId, start, end, score, end === null ? 'open' : 'resolved'],
  );
}

const aMatch = (orgId: number, metricId: number, patternId: number, start: number): Promise<number> =>
  storeMatch(identity.database.dataSource, { orgId, metricId, patternId, start });

describe('GET /org/overview', () => {
  it('is empty for a new organisation', async () => {
    const { id } = await identity.anOrg();
    expect(await overview(id)).toEqual({
      generated_timestamp: START,
      onboarding: {
        status_id: 1,
        status: 'no_metrics',
        message: 'Nothing has been received yet.',
        progress_id: expect.any(Number),
      },
      counts: {
        metrics_active: 0,
        anomalies_open: 0,
        incidents_open: 0,
        anomalies_last_24h: 0,
        matches_last_24h: 0,
        alerts_last_24h: 0,
        trainable: 0,
      },
      cards: { anomalies: [], matches: [], training: [], all: [] },
      worst_metrics: [],
      incidents: [],
      latest_events: [],
    });
  });

  it('shows new anomalies, the worst metrics and latest events of its own organisation only', async () => {
    const [org, other] = [await identity.anOrg(), await identity.anOrg()];
    const [calm, bad] = [await aMetric(org.id, 'calm'), await aMetric(org.id, 'bad')];
    const foreign = await aMetric(other.id, 'foreign');
    await anAnomaly(org.id, calm, START - 2 * HOUR, START - HOUR);
    await anAnomaly(org.id, bad, START - 30 * HOUR, START - 23 * HOUR, 0.9);
    await anAnomaly(org.id, bad, START - 600, null, 0.7);
    await anAnomaly(other.id, foreign, START - 60, null);
    for (let i = 0; i < 21; i++) {
      identity.get(EventRecorderService).record({ orgId: org.id, type: 'custom', level: 'info', message: String(i) });
    }
    await identity.get(EventRecorderService).flush();

    const page = await overview(org.id, Permission.Write);
    expect(page.counts).toMatchObject({ metrics_active: 2, anomalies_open: 1, anomalies_last_24h: 3, trainable: 3 });
    expect(page.worst_metrics).toEqual([
      {
        metric: 'bad',
        metric_id: bad,
        anomaly_count: 2,
        open_anomaly_count: 1,
        // Of the one that has ended, the last slot counts too.
        anomalous_seconds: HOUR + 60 + 600,
        max_severity: 60,
        total_score: 1.6,
        last_anomaly_timestamp: START - 600,
        last_anomaly_string: '10 minutes ago',
      },
      expect.objectContaining({ metric: 'calm', anomaly_count: 1, anomalous_seconds: HOUR + 60 }),
    ]);
    const named = page.cards.anomalies.map(({ metric }: { metric: string }) => metric);
    expect(named).toEqual(['bad', 'calm', 'bad']);
    expect(page.cards.training).toEqual(page.cards.anomalies);
    expect(page.cards.all[0]).toEqual({ type: 'training', timestamp: START - 600, item: page.cards.anomalies[0] });
    // A caller without write permission sees no trainable anomalies.
    const reader = await overview(org.id);
    expect(reader.counts.trainable).toBe(0);
    expect(reader.cards.training).toEqual([]);
    expect(reader.cards.all.map(({ type }: { type: string }) => type)).toEqual(['anomaly', 'anomaly', 'anomaly']);
    expect(page.latest_events).toHaveLength(20);
    expect(page.latest_events[0]).toMatchObject({ type: 'custom', text: '20' });
  });

  it('shows the newest matches of its own organisation only', async () => {
    const [org, other] = [await identity.anOrg(), await identity.anOrg()];
    const metricId = await aMetric(org.id, 'backup.bytes');
    const foreignId = await aMetric(other.id, 'foreign');
    const shape = bareShape(START - 2 * DAY);
    const patternId = await storePattern(identity, { orgId: org.id, metricId, label: 'nightly backup', shape });
    const foreignPattern = await storePattern(identity, { orgId: other.id, metricId: foreignId, shape });
    // One match every two hours, and one that is older than a day.
    const ids: number[] = [];
    for (let i = 1; i <= 12; i++) {
      ids.push(await aMatch(org.id, metricId, patternId, START - (i === 12 ? 40 : 2 * i) * HOUR));
    }
    await aMatch(other.id, foreignId, foreignPattern, START - 60);
    await anAnomaly(org.id, metricId, START - 3 * HOUR, START - HOUR);

    const page = await overview(org.id);
    expect(page.counts).toMatchObject({ matches_last_24h: 11, anomalies_last_24h: 1 });
    expect(page.cards.matches.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 10));
    expect(page.cards.matches[0]).toMatchObject({
      metric: 'backup.bytes',
      pattern_id: patternId,
      pattern_label: 'nightly backup',
      timestamp: START - 2 * HOUR,
      similarity: 0.97,
      score: 0.8,
    });
    const token = await identity.aToken(org.id, Permission.Read);
    const list = await identity.http().get('/api/matches?limit=10').set('X-Auth-Token', token);
    expect(page.cards.matches).toEqual(list.body.data.matches);
    // Cards of all kinds are sorted by time.
    expect(page.cards.all).toHaveLength(10);
    expect(page.cards.all.slice(0, 3)).toEqual([
      { type: 'match', timestamp: START - 2 * HOUR, item: page.cards.matches[0] },
      { type: 'anomaly', timestamp: START - 3 * HOUR, item: page.cards.anomalies[0] },
      { type: 'match', timestamp: START - 4 * HOUR, item: page.cards.matches[1] },
    ]);
  });
});
