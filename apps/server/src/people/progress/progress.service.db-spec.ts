import { START } from '../../../../../test/support/hand-clock.js';
import { ProgressApp } from '../../../../../test/support/progress-app.js';
import { type TokenCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgService } from '../org/org.service.js';
import { OnboardingService } from './onboarding.service.js';
import { ProgressService } from './progress.service.js';

let app: ProgressApp;
let progress: ProgressService;
let orgId: number;

beforeAll(async () => {
  app = await ProgressApp.create();
  progress = app.get(ProgressService);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
});

const STEPS = [
  { key: 'one', title: 'One' },
  { key: 'two', title: 'Two' },
  { key: 'three', title: 'Three' },
];

const job = (change: object = {}): Promise<number> =>
  progress.create({ orgId, type: 'training', title: 'Building', steps: STEPS, cancellable: true, ...change });

async function stored(id: number): Promise<Record<string, unknown>> {
  const [row] = await app.database.dataSource.query<Record<string, unknown>[]>(
    `SELECT status, percent, message, result, error, cancellable, steps,
            extract(epoch FROM updated_at)::integer AS updated, extract(epoch FROM finished_at)::integer AS finished
       FROM progress WHERE id = $1`,
    [id],
  );
  return row!;
}

const cancel = (id: number): Promise<unknown> =>
  app.database.dataSource.query(`UPDATE progress SET status = 'cancelled' WHERE id = $1`, [id]);

describe('ProgressService', () => {
  it('creates a job with no step done', async () => {
    expect(await stored(await job())).toEqual({
      status: 'running',
      percent: 0,
      message: '',
      result: null,
      error: null,
      cancellable: true,
      steps: STEPS.map((step) => ({ ...step, done: false, timestamp: null })),
      updated: START,
      finished: null,
    });
  });

  it('counts each finished step once', async () => {
    const id = await job({ status: 'queued' });
    expect(await stored(id)).toMatchObject({ status: 'queued' });
    app.clock.seconds = START + 10;
    expect(await progress.step(orgId, id, 'two', 'half way')).toBe(true);
    app.clock.seconds = START + 20;
    await progress.step(orgId, id, 'two');
    expect(await stored(id)).toMatchObject({
      status: 'running',
      percent: 33,
      message: 'half way',
      steps: [{ done: false }, { done: true, timestamp: START + 10 }, { done: false }],
      updated: START + 20,
    });
  });

  it('keeps steps that finish concurrently', async () => {
    const id = await job();
    await Promise.all(STEPS.map(({ key }) => progress.step(orgId, id, key)));
    expect(await stored(id)).toMatchObject({ percent: 100, status: 'running' });
  });

  it('never decreases the percentage', async () => {
    const id = await job({ steps: [] });
    await progress.advance(orgId, id, 41.9);
    await progress.advance(orgId, id, 12, 'still at it');
    expect(await stored(id)).toMatchObject({ percent: 41, message: 'still at it' });
  });

  it('finishes a job with a result, after which it no longer changes', async () => {
    const id = await job();
    expect(await progress.finish(orgId, id, { message: 'OK', result: { pattern_id: 7 } })).toBe(true);
    expect(await stored(id)).toMatchObject({
      status: 'finished',
      percent: 100,
      message: 'OK',
      result: { pattern_id: 7 },
      cancellable: false,
      finished: START,
    });
    expect(await progress.step(orgId, id, 'one')).toBe(false);
    expect(await progress.fail(orgId, id, 'too late')).toBe(false);
    expect(await stored(id)).toMatchObject({ status: 'finished', error: null });
  });

  it('fails a job with a reason', async () => {
    const id = await job();
    await progress.step(orgId, id, 'one');
    await progress.fail(orgId, id, 'There is not enough data.');
    expect(await stored(id)).toMatchObject({ status: 'failed', percent: 33, error: 'There is not enough data.' });
  });

  it('changes a job in the given transaction', async () => {
    const id = await job();
    const failing = app.get(Transactions).run(async (tx) => {
      await progress.step(orgId, id, 'one', undefined, tx);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await stored(id)).toMatchObject({ percent: 0 });
  });

  it('does not change a job of another organisation', async () => {
    const id = await job();
    const other = await app.anOrg();
    expect(await progress.finish(other.id, id)).toBe(false);
    expect(await stored(id)).toMatchObject({ status: 'running' });
  });

  it('notifies only the work of a cancelled job, once', async () => {
    const [one, other] = [await job(), await job()];
    const notified: string[] = [];
    progress.onCancel(orgId, one, () => notified.push('one'));
    progress.onCancel(orgId, other, () => notified.push('other'));
    await progress.checkWatched();
    expect(notified).toEqual([]);
    await cancel(one);
    await progress.checkWatched();
    await progress.checkWatched();
    expect(notified).toEqual(['one']);
    expect(await progress.advance(orgId, one, 50)).toBe(false);
  });

  it('does not notify work that has finished or no longer listens', async () => {
    const [one, other] = [await job(), await job()];
    const notified: string[] = [];
    progress.onCancel(orgId, one, () => notified.push('one'));
    const forget = progress.onCancel(orgId, other, () => notified.push('other'));
    await progress.finish(orgId, one);
    forget();
    await cancel(other);
    await progress.checkWatched();
    expect(notified).toEqual([]);
  });
});

describe('OnboardingService', () => {
  const done = async (): Promise<string[]> => {
    const row = await app.get(OnboardingService).refresh(orgId);
    return row!.steps.filter((step) => step.done).map(({ key }) => key);
  };

  it('follows the onboarding status, and records an event for each rise', async () => {
    const onboarding = app.get(OnboardingService);
    expect(await done()).toEqual([]);
    expect(await onboarding.advance(orgId, 100)).toBe(true);
    expect(await done()).toEqual(['send_data']);
    expect(await onboarding.advance(orgId, 100)).toBe(false);
    expect(await onboarding.advance(orgId, 300)).toBe(true);
    expect(await done()).toEqual(['send_data', 'first_100_points', 'first_day']);
    expect(await app.eventTexts(orgId)).toEqual([
      ['onboarding_changed', 'The first data has arrived.'],
      ['onboarding_changed', 'A metric has a day of data: the analysis is live.'],
    ]);
  });

  it('follows the flags of all users, and finishes when all steps are done', async () => {
    const onboarding = app.get(OnboardingService);
    const user = await app.aUser(orgId);
    await onboarding.advance(orgId, 300);
    await app.database.dataSource.query(
      `UPDATE user_account SET onboarding_flags = '{"alert_created": true, "test_alert_sent": true, "main_intro": true}'
        WHERE id = $1`,
      [user.id],
    );
    expect(await done()).toHaveLength(5);
    await app.database.dataSource.query(
      `UPDATE user_account SET onboarding_flags = '{"pattern_trained": true}' WHERE id = $1`,
      [user.id],
    );
    expect(await onboarding.refresh(orgId)).toMatchObject({ status: 'finished', percent: 100 });
  });

  it('completes steps of users and tokens, but not of the service itself', async () => {
    const onboarding = app.get(OnboardingService);
    const org = await app.get(OrgService).getById(orgId);
    const token = (tokenRef: number): TokenCaller => ({ kind: 'token', org, permissions: 0, tokenRef });
    await onboarding.noteDone(token(0), 'alert_created');
    expect(await done()).toEqual([]);
    app.clock.seconds = START + 60;
    await onboarding.noteDone(token(3), 'alert_created');
    app.clock.seconds = START + 120;
    await onboarding.noteDone(token(3), 'alert_created');
    const row = await onboarding.refresh(orgId);
    expect(row!.steps.filter((step) => step.done)).toEqual([
      { key: 'create_watcher', title: 'Create a watcher', done: true, timestamp: START + 60, observed: true },
    ]);
  });

  it('creates one entry per organisation for concurrent requests', async () => {
    const onboarding = app.get(OnboardingService);
    const ids = await Promise.all(Array.from({ length: 8 }, () => onboarding.progressId(orgId)));
    expect(new Set(ids).size).toBe(1);
    expect(await onboarding.progressId(999_999)).toBeNull();
  });
});
