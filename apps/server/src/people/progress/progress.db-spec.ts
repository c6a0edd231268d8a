import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { ProgressApp } from '../../../../../test/support/progress-app.js';
import { type ProgressDto, type ProgressStepDto } from './dto/progress.dto.js';
import { OnboardingService } from './onboarding.service.js';
import { ProgressRepository } from './progress.repository.js';
import { ProgressService } from './progress.service.js';

const DAY = 86_400;

let app: ProgressApp;
let orgId: number;
let userId: number;
let session: string;

beforeAll(async () => {
  app = await ProgressApp.create();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
  userId = (await app.aUser(orgId)).id;
  session = await app.aSession(userId);
});

type Credential = { session?: string; token?: string };

interface Answered {
  status: number;
  headers: Record<string, string>;
  data: {
    progress: ProgressDto & ProgressDto[];
    total?: number;
    error?: { code: string; details: { field: string; code: string; message: string }[] };
  };
}

async function call(method: 'get' | 'post', path: string, credential: Credential, body?: object): Promise<Answered> {
  const request = app.http()[method](`/api${path}`);
  if (credential.session !== undefined) void request.set('X-Session-Id', credential.session);
  if (credential.token !== undefined) void request.set('X-Auth-Token', credential.token);
  const { status, headers, body: answered } = await request.send(body);
  return { status, headers, data: (answered as { data: Answered['data'] }).data };
}

const list = (credential: Credential = { session }, query = ''): Promise<Answered> =>
  call('get', `/progress${query}`, credential);
/** The entry of the tour. */
async function tour(credential: Credential = { session }): Promise<Answered> {
  const answer = await call('get', '/progress/demo', credential);
  const [progress, ...others]: ProgressDto[] = answer.data.progress;
  if (progress === undefined) throw new Error('There is no tour');
  expect(others).toEqual([]);
  return { ...answer, data: { ...answer.data, progress: progress as Answered['data']['progress'] } };
}
const update = (id: number | null, body: object, credential: Credential = { session }): Promise<Answered> =>
  call('post', `/progress/${String(id)}/update`, credential, body);
const doneOf = (steps: ProgressStepDto[]): string[] => steps.filter(({ done }) => done).map(({ key }) => key);

const aJob = (change: object = {}): Promise<number> =>
  app.get(ProgressService).create({
    orgId,
    userId,
    type: 'training',
    title: 'Building',
    steps: [{ key: 'build_24h', title: '24 hour pattern' }],
    cancellable: true,
    ...change,
  });

async function onboardingId(): Promise<number> {
  return (await app.get(OnboardingService).progressId(orgId))!;
}

describe('GET /progress', () => {
  it("lists jobs, onboarding and the caller's tour, newest first", async () => {
    await list();
    app.clock.seconds = START + 60;
    const id = await aJob();
    const { status, data } = await list();
    expect(status).toBe(200);
    expect(data.total).toBe(3);
    expect(data.progress.map(({ type }) => type)).toEqual(['training', 'tour', 'onboarding']);
    expect(data.progress[0]).toEqual({
      id,
      type: 'training',
      title: 'Building',
      status: 'running',
      percent: 0,
      message: '',
      steps: [{ key: 'build_24h', title: '24 hour pattern', done: false, timestamp: null }],
      result: null,
      error: null,
      user_id: userId,
      cancellable: true,
      created_timestamp: START + 60,
      updated_timestamp: START + 60,
      finished_timestamp: null,
    });
  });

  it('filters by type and status, and pages', async () => {
    const done = await aJob();
    await app.get(ProgressService).finish(orgId, done);
    await aJob({ type: 'backfill' });
    const types = async (query: string): Promise<string[]> =>
      (await list({ session }, query)).data.progress.map(({ type }) => type);
    expect(await types('?type=training,backfill')).toEqual(['backfill', 'training']);
    expect(await types('?status=finished')).toEqual(['training']);
    // A repeated name without a value does not filter.
    expect(await types('?type=&type=')).toEqual(await types(''));
    expect(await types('?limit=1&offset=1&type=training,backfill')).toEqual(['training']);
    expect((await list({ session }, '?type=holiday')).data.error?.details).toMatchObject([
      { field: 'type', code: 'not_one_of' },
    ]);
  });

  it('hides tours of other users and jobs of other organisations', async () => {
    await tour();
    await aJob();
    const colleague = await app.aSession((await app.aUser(orgId)).id);
    const seen = (await list({ session: colleague }, '?type=tour')).data.progress;
    expect(seen).toHaveLength(1);
    expect(seen[0]?.user_id).not.toBe(userId);
    const stranger = await app.aSession((await app.aUser((await app.anOrg()).id)).id);
    expect((await list({ session: stranger })).data.progress.map(({ type }) => type).sort()).toEqual([
      'onboarding',
      'tour',
    ]);
  });

  it('does not show a tour to a token', async () => {
    await tour();
    const token = await app.aToken(orgId, Permission.Read);
    expect((await list({ token })).data.progress.map(({ type }) => type)).toEqual(['onboarding']);
    expect((await list({})).status).toBe(401);
  });
});

describe('GET /progress/demo', () => {
  it('returns the same tour each time to a user', async () => {
    const first = await tour();
    expect(first.data.progress).toMatchObject({ type: 'tour', status: 'running', percent: 0, user_id: userId });
    expect(first.data.progress.steps.map(({ key }) => key)).toEqual([
      'overview',
      'metric',
      'incident',
      'anomaly',
      'train',
      'match',
      'tune',
      'watcher',
    ]);
    expect((await tour()).data.progress.id).toBe(first.data.progress.id);
  });

  it('returns a tour without owner to a caller who is not a user', async () => {
    const token = await app.aToken(orgId, Permission.Read);
    for (const credential of [{}, { token }]) {
      const { status, data } = await tour(credential);
      expect([status, data.progress.id, data.progress.user_id, doneOf(data.progress.steps)]).toEqual([
        200,
        null,
        null,
        [],
      ]);
    }
  });
});

describe('POST /progress/{id}/update', () => {
  it("ticks steps of the caller's tour until it is finished", async () => {
    const { id, steps } = (await tour()).data.progress;
    const { data } = await update(id, { step: 'metric' });
    expect(data.progress).toMatchObject({ percent: 12, status: 'running' });
    expect(doneOf(data.progress.steps)).toEqual(['metric']);
    expect((await update(id, { step: 'metric', done: false })).data.progress.percent).toBe(0);
    for (const { key } of steps) await update(id, { step: key });
    expect((await tour()).data.progress).toMatchObject({
      percent: 100,
      status: 'finished',
      cancellable: false,
      finished_timestamp: START,
    });
    expect((await update(id, { step: 'metric' })).status).toBe(200);
    expect((await update(id, { step: 'metric', done: false })).data.error?.code).toBe('state_conflict');
    expect((await update(id, { cancel: true })).data.error?.code).toBe('state_conflict');
  });

  it('cancels the tour, idempotently', async () => {
    const { id } = (await tour()).data.progress;
    expect((await update(id, { cancel: false })).data.progress.status).toBe('running');
    expect((await update(id, { cancel: true })).data.progress.status).toBe('cancelled');
    expect((await update(id, { cancel: true })).status).toBe(200);
    expect((await update(id, { step: 'metric' })).data.error?.code).toBe('state_conflict');
  });

  it('also works as a GET, which links to its successor', async () => {
    const { id } = (await tour()).data.progress;
    const answer = await call('get', `/progress/${String(id)}/update?step=overview`, { session });
    expect([answer.status, answer.headers.deprecation]).toEqual([200, 'true']);
    expect(answer.headers.link).toContain(`/api/progress/${String(id)}/update>; rel="successor-version"`);
    expect(doneOf(answer.data.progress.steps)).toEqual(['overview']);
  });

  it('rejects ticks for steps that follow the data, and accepts them for steps that users may skip', async () => {
    const id = await onboardingId();
    expect((await update(id, { step: 'send_data' })).data.error?.code).toBe('state_conflict');
    expect(doneOf((await update(id, { step: 'create_watcher' })).data.progress.steps)).toEqual(['create_watcher']);
    expect(doneOf((await update(id, { step: 'create_watcher', done: false })).data.progress.steps)).toEqual([]);
    expect((await update(id, { cancel: true })).data.error?.code).toBe('state_conflict');
  });

  it('rejects unticking a step that was really done', async () => {
    const id = await onboardingId();
    await app.database.dataSource.query(
      `UPDATE user_account SET onboarding_flags = '{"alert_created": true}' WHERE id = $1`,
      [userId],
    );
    expect((await update(id, { step: 'create_watcher', done: false })).data.error?.code).toBe('state_conflict');
    const steps = (await call('get', '/progress?type=onboarding', { session })).data.progress[0]!.steps;
    expect(steps[3]).toEqual({ key: 'create_watcher', title: 'Create a watcher', done: true, timestamp: START });
  });

  it('cancels a job and notifies its work', async () => {
    const id = await aJob();
    let isCancelled = false;
    app.get(ProgressService).onCancel(orgId, id, () => (isCancelled = true));
    const { data } = await update(id, { cancel: true });
    expect(data.progress).toMatchObject({ status: 'cancelled', cancellable: false, finished_timestamp: START });
    expect(isCancelled).toBe(true);
  });

  it('rejects cancelling a job that is not cancellable, and ticking a job', async () => {
    const id = await aJob({ cancellable: false });
    expect((await update(id, { cancel: true })).data.error?.code).toBe('state_conflict');
    expect((await update(id, { step: 'build_24h' })).data.error?.code).toBe('state_conflict');
  });

  it.each([
    [{}, { field: 'step', code: 'exactly_one' }],
    [
      { step: 'metric', cancel: true },
      { field: 'step', code: 'exactly_one' },
    ],
    [
      { cancel: true, done: false },
      { field: 'done', code: 'unknown_parameter' },
    ],
    [{ step: 'dance' }, { field: 'step', code: 'not_one_of' }],
  ])('rejects %j', async (body, detail) => {
    const { id } = (await tour()).data.progress;
    const { status, data } = await update(id, body);
    expect(status).toBe(400);
    expect(data.error?.details).toMatchObject([detail]);
  });

  it("requires the permission write, except for the caller's tour", async () => {
    const read = await app.aToken(orgId, Permission.Read);
    const write = await app.aToken(orgId, Permission.Write);
    const id = await aJob();
    expect((await update(id, { cancel: true }, { token: read })).data.error).toMatchObject({
      code: 'permission_denied',
      details: [{ field: 'permission', code: 'missing', message: 'write' }],
    });
    expect((await update(id, { cancel: true }, { token: write })).status).toBe(200);
    await app.database.dataSource.query('UPDATE user_account SET demo = true WHERE id = $1', [userId]);
    expect((await update(await aJob(), { cancel: true })).data.error?.code).toBe('demo_account');
    expect((await update((await tour()).data.progress.id, { step: 'metric' })).status).toBe(200);
  });

  it('answers 404 for tours of other users and for other organisations', async () => {
    const { id } = (await tour()).data.progress;
    const colleague = await app.aSession((await app.aUser(orgId)).id);
    expect((await update(id, { step: 'metric' }, { session: colleague })).status).toBe(404);
    expect((await update(id, { step: 'metric' }, { token: await app.aToken(orgId, Permission.Write) })).status).toBe(
      404,
    );
    const stranger = await app.aSession((await app.aUser((await app.anOrg()).id)).id);
    expect((await update(await aJob(), { cancel: true }, { session: stranger })).status).toBe(404);
    expect((await update(2_000_000_000, { cancel: true })).status).toBe(404);
  });
});

describe('housekeeping', () => {
  it('deletes only old finished jobs and tours of removed users', async () => {
    await list();
    const [over, going] = [await aJob(), await aJob()];
    await app.get(ProgressService).finish(orgId, over);
    await tour({ session: await app.aSession((await app.aUser(orgId)).id) });
    await app.database.dataSource.query('DELETE FROM user_account WHERE org_id = $1 AND id <> $2', [orgId, userId]);
    app.clock.seconds = START + 91 * DAY;
    await app.get(ProgressRepository).forgetOld(app.clock.now());
    const left = await app.database.dataSource.query<{ id: number; type: string }[]>(
      'SELECT id, type FROM progress WHERE org_id = $1 ORDER BY id',
      [orgId],
    );
    expect(left.map(({ type }) => type)).toEqual(['onboarding', 'tour', 'training']);
    expect(left.at(-1)?.id).toBe(going);
  });
});
