import { START } from '../../../../../test/support/hand-clock.js';
import { MetricApp } from '../../../../../test/support/metric-app.js';
import { MetricStatesService } from './metric-states.service.js';

const MINUTE = 60;
const DAY = 86_400;

let app: MetricApp;
let orgId: number;

beforeAll(async () => {
  app = await MetricApp.create();
  await app.byHand(MetricStatesService);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  await app.database.dataSource.query('DELETE FROM org');
  orgId = (await app.anOrg()).id;
});

async function after(seconds: number): Promise<void> {
  app.clock.seconds += seconds;
  expect(await app.get(MetricStatesService).run()).toBe(true);
}

/** Simulates that the metric has just sent. */
const sends = (id: number) =>
  app.database.dataSource.query('UPDATE metric SET last_timestamp = $2 WHERE id = $1', [id, app.clock.seconds]);

const types = async (): Promise<string[]> =>
  (await app.events(orgId)).map(([type, metric]) => (metric === null ? type : `${type} ${metric}`));

describe('MetricStatesService', () => {
  it('records a stale, an inactive and a returned metric once each', async () => {
    const other = await app.aMetric(orgId, 'b');
    const id = await app.aMetric(orgId, 'a');
    await after(0);
    expect(await types()).toEqual([]);
    for (const seconds of [15 * MINUTE, 1, MINUTE]) {
      app.clock.seconds += seconds;
      await sends(other);
      await after(0);
    }
    expect(await types()).toEqual(['metric_stale a']);
    app.clock.seconds = START + DAY;
    await sends(other);
    await after(0);
    expect(await types()).toEqual(['metric_stale a', 'metric_inactive a']);
    await sends(id);
    await after(0);
    await after(MINUTE);
    expect(await types()).toEqual(['metric_stale a', 'metric_inactive a', 'metric_returned a']);
  });

  it('marks a metric as active as soon as it sends again, and records this once', async () => {
    const [id, silent] = [await app.aMetric(orgId, 'a'), await app.aMetric(orgId, 'b')];
    await after(15 * MINUTE + 1);
    await sends(id);
    for (let i = 0; i < 2; i++) await app.get(MetricStatesService).noteData(Uint32Array.of(id, silent));
    const states = await app.database.dataSource.query('SELECT state FROM metric_search ORDER BY metric_id');
    expect(states).toEqual([{ state: 'active' }, { state: 'stale' }]);
    await after(1);
    expect((await types()).slice(3)).toEqual(['metric_returned a', 'data_resumed']);
  });

  it('records when all data stops, and when it resumes', async () => {
    const ids = [await app.aMetric(orgId, 'a'), await app.aMetric(orgId, 'b')];
    await after(15 * MINUTE + 1);
    expect(await types()).toEqual(['metric_stale a', 'metric_stale b', 'data_stopped']);
    await after(MINUTE);
    await sends(ids[0]!);
    await after(MINUTE);
    expect(await types()).toEqual([
      'metric_stale a',
      'metric_stale b',
      'data_stopped',
      'metric_returned a',
      'data_resumed',
    ]);
    expect(await app.events((await app.anOrg()).id)).toEqual([]);
  });

  it('records that data resumes with a new metric', async () => {
    await app.aMetric(orgId, 'a');
    await after(15 * MINUTE + 1);
    await app.aMetric(orgId, 'new');
    await after(MINUTE);
    expect((await types()).slice(-2)).toEqual(['data_stopped', 'data_resumed']);
  });

  it('marks a metric ended by its sender as stale immediately, until it sends again', async () => {
    await app.aMetric(orgId, 'b');
    const id = await app.aMetric(orgId, 'a');
    const end = (hasEnded: boolean) =>
      app.database.dataSource.query('UPDATE metric SET has_ended = $2 WHERE id = $1', [id, hasEnded]);
    await end(true);
    await after(1);
    await end(false);
    await after(1);
    expect(await types()).toEqual(['metric_stale a', 'metric_returned a']);
  });

  it('records one event for many metrics', async () => {
    for (let i = 0; i < 25; i++) await app.aMetric(orgId, `web-${String(i)}.cpu`);
    await after(15 * MINUTE + 1);
    expect(await app.events(orgId)).toEqual([
      ['metric_stale', null, '25 metrics: each has stopped sending.'],
      ['data_stopped', null, 'No metric sends data any more.'],
    ]);
  });

  it('ignores removed metrics and metrics that only hold history', async () => {
    await app.aMetric(orgId, 'history', { lastTimestamp: START - 30 * DAY, isOnlyHistory: true });
    await app.aMetric(orgId, 'fresh history', { isOnlyHistory: true });
    const removed = await app.aMetric(orgId, 'removed');
    await app.database.dataSource.query('UPDATE metric SET removed_at = now() WHERE id = $1', [removed]);
    await app.aMetric(orgId, 'live');
    await after(1);
    expect(await types()).toEqual([]);
    await after(15 * MINUTE + 1);
    expect(await types()).toEqual(['metric_stale live', 'data_stopped']);
    const states = await app.database.dataSource.query('SELECT state FROM metric_search ORDER BY metric_id');
    expect(states).toEqual([{ state: 'active' }, { state: 'active' }, { state: 'removed' }, { state: 'stale' }]);
  });
});
