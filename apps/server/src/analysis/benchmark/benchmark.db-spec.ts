import { jest } from '@jest/globals';
import { Permission } from '#libs/contracts';
import { Mailbox } from '../../../../../test/support/mailbox.js';
import { type Answer, MetricApp } from '../../../../../test/support/metric-app.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { ImageModule } from '../../views/image/image.module.js';
import { MailDeliveryModule } from '../../platform/mail/mail-delivery.module.js';
import { BenchmarkRunnerService } from './benchmark-runner.service.js';
import { BenchmarkRepository } from './benchmark.repository.js';
import { SeriesReaderService } from './series-reader.service.js';
import { BenchmarkModule } from './benchmark.module.js';

const DAY = 86_400;
const ROWS = 1200;
/** Row of the spike of five minutes in a wave of 1,200 minutes. */
const SPIKE = 900;

let app: MetricApp;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await Mailbox.start();
  const env = {
    ...mailbox.env,
    PLUMBLINE_LIMIT_BENCHMARK_ADDRESS: '1000',
    PLUMBLINE_LIMIT_BENCHMARK: '3',
    PLUMBLINE_LIMIT_BENCHMARK_MAILS: '1000',
    PLUMBLINE_LIMIT_ANONYMOUS: '100000',
  };
  app = await MetricApp.create({ env }, [BenchmarkModule, ImageModule, MailDeliveryModule]);
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});
beforeEach(async () => {
  app.clock.seconds = START;
  await app.get(BenchmarkRunnerService).settled();
  await app.database.dataSource.query('DELETE FROM benchmark');
});

function aSeries(rows = ROWS): [number, number][] {
  return Array.from({ length: rows }, (_, row) => {
    const noise = ((row * 7919) % 101) / 50;
    const value = 50 + 10 * Math.sin(row / 30) + noise + (row >= SPIKE && row < SPIKE + 5 ? 200 : 0);
    return [START - (ROWS - row) * 60, value];
  });
}

const timeOf = (row: number): number => START - (ROWS - row) * 60;

type Credential = { token?: string; session?: string };

const start = (body: object, credential: Credential = {}): Promise<Answer> =>
  app.call('post', '/benchmark/start', credential, body);
const status = (id: string): Promise<Answer> => app.call('get', `/benchmark/status?benchmark_id=${id}`, {});

async function done(id: string): Promise<Answer['data']> {
  const runner = app.get(BenchmarkRunnerService);
  await runner.run();
  await runner.settled();
  return (await status(id)).data.benchmark;
}

describe('benchmarks', () => {
  it('offer seven models with their sources, three of them by default', async () => {
    const { data } = await app.call('get', '/benchmark/models', {});
    expect(data.models.map(({ id }: { id: string }) => id)).toEqual([
      'plumbline',
      'sigma_vote',
      'robust_deviation',
      'seasonal_profile',
      'spectral_residual',
      'isolation_forest',
      'matrix_profile',
    ]);
    expect(data.models.every(({ source }: { source: string }) => source.length > 10)).toBe(true);
    expect(data.models.filter((model: { default: boolean }) => model.default)).toHaveLength(3);
  });

  it('run the models over a series and score them against labels', async () => {
    const labels = [
      [timeOf(SPIKE), timeOf(SPIKE + 5)],
      [timeOf(400), timeOf(410)],
    ];
    const { data, ...answer } = await start({ timeseries: aSeries(), labels, name: 'my series' });
    expect(answer.status).toBe(200);
    expect(data.benchmark_id).toMatch(/^[\w-]{22}$/);
    expect(data.status_url).toContain(`/api/benchmark/status?benchmark_id=${data.benchmark_id}`);
    expect(data.benchmark).toMatchObject({
      name: 'my series',
      points_count: ROWS,
      resolution_seconds: 60,
      labels_count: 2,
      email_set: false,
      from: timeOf(0),
      expires_timestamp: START + 7 * DAY,
    });
    const benchmark = await done(data.benchmark_id);
    expect(benchmark).toMatchObject({ status: 'finished', percent: 100 });
    expect(benchmark.models).toHaveLength(3);
    const [plumbline] = benchmark.models;
    expect(plumbline).toMatchObject({ id: 'plumbline', status: 'finished', message: '' });
    expect(plumbline.metrics).toMatchObject({ true_positives: 1, false_negatives: 1, recall: 0.5 });
    expect(plumbline.metrics.nab_score).toEqual(expect.any(Number));

    const { data: numbers } = await app.call(
      'get',
      `/benchmark/chartdata?benchmark_id=${data.benchmark_id}&max_points=200`,
      {},
    );
    expect(numbers).toMatchObject({ name: 'my series', labels });
    expect(numbers.timeseries.length).toBeLessThanOrEqual(200);
    expect(Math.max(...numbers.timeseries.map(([, value]: number[]) => value))).toBeGreaterThan(200);
    expect(numbers.models.map(({ id }: { id: string }) => id)).toEqual(['plumbline', 'sigma_vote', 'robust_deviation']);
    const [anomaly] = numbers.models[0].anomalies;
    expect(anomaly.from).toBeGreaterThanOrEqual(timeOf(SPIKE));
    expect(anomaly.from).toBeLessThan(timeOf(SPIKE + 5));
    expect(Math.max(...numbers.models[0].scores.map(([, score]: number[]) => score))).toBeGreaterThanOrEqual(0.5);

    const svg = await app.http().get(`/api/benchmark/chart?benchmark_id=${data.benchmark_id}`).buffer(true);
    expect(svg.headers['content-type']).toContain('image/svg+xml');
    expect((svg.body as Buffer).toString()).toContain('label');
    const png = await app
      .http()
      .get(`/api/benchmark/chart?benchmark_id=${data.benchmark_id}&format=png&model=sigma_vote`);
    expect(png.headers['content-type']).toBe('image/png');
    const other = await app.call('get', `/benchmark/chart?benchmark_id=${data.benchmark_id}&model=matrix_profile`, {});
    expect(other).toMatchObject({ status: 409, data: { error: { code: 'not_finished' } } });
  });

  it('accept large series as JSON, form or file, and name the invalid point', async () => {
    const series = Array.from({ length: 20_000 }, (_, row): [number, number] => [START - row * 60, row % 50]);
    const post = () => app.http().post('/api/benchmark/start');
    const inForm = JSON.stringify(series);
    expect(inForm.length).toBeGreaterThan(256 * 1024);
    const file = series.map(([time, value]) => `${String(time)},${String(value)}`).join('\n');
    for (const send of [
      () => post().send({ timeseries: series, models: ['robust_deviation'] }),
      () => post().field('timeseries', inForm).field('models', 'robust_deviation'),
      () =>
        post()
          .attach('data_file', Buffer.from(`timestamp,value\n${file}`), 'series.csv')
          .field('models', 'robust_deviation'),
    ]) {
      const answer = await send();
      expect([answer.status, answer.body.data.benchmark?.points_count]).toEqual([200, series.length]);
      await app.get(BenchmarkRunnerService).settled();
      await app.database.dataSource.query('DELETE FROM benchmark');
    }
    const messages = async (timeseries: unknown[]): Promise<string[]> =>
      (await post().send({ timeseries })).body.data.error.details.map(({ message }: { message: string }) => message);
    expect(await messages([...series, [START, 'x']])).toEqual([
      'timeseries must have a number or null as the value of point 20001',
    ]);
    expect(await messages([...series, ['x', 1]])).toEqual([
      'timeseries must have Unix seconds from the year 2000 to now as the time of point 20001',
    ]);
  });

  it('accept a CSV file with two columns or with metric names, and reject one with several series', async () => {
    for (const lines of [
      ['timestamp,value', ...aSeries(150).map(([time, value]) => `${String(time)},${String(value)}`)],
      aSeries(150).map(([time, value]) => `${new Date(time * 1000).toISOString()},a.b,${String(value)}`),
    ]) {
      const { body } = await app
        .http()
        .post('/api/benchmark/start')
        .field('models', 'plumbline,robust_deviation')
        .field('labels', JSON.stringify([[timeOf(10), timeOf(20)]]))
        .field('counter', 'false')
        .attach('data_file', Buffer.from(lines.join('\n')), 'series.csv');
      expect(body.data.benchmark).toMatchObject({ points_count: 150, labels_count: 1, resolution_seconds: 60 });
      expect(await done(body.data.benchmark_id)).toMatchObject({ status: 'finished' });
    }
    const partly = ['timestamp,value', `${String(START)},many`, ...aSeries(150).map((point) => point.join(','))];
    const taken = await app
      .http()
      .post('/api/benchmark/start')
      .field('models', 'robust_deviation')
      .attach('data_file', Buffer.from(partly.join('\n')), 'series.csv');
    const message = expect.stringMatching(/^1 of 151 points refused: .*; line 2: .*many/) as string;
    expect(taken.body.data.benchmark).toMatchObject({ points_count: 150, message });
    expect(await done(taken.body.data.benchmark_id)).toMatchObject({ status: 'finished', message });
    const several = ['timestamp,a,b', `${String(START)},1,2`].join('\n');
    const refused = await app.http().post('/api/benchmark/start').attach('data_file', Buffer.from(several), 'a.csv');
    expect(refused.status).toBe(400);
    expect(refused.body.data.error.details).toEqual([
      expect.objectContaining({ field: 'data_file', message: 'data_file must have one series, it has several' }),
    ]);
  });

  it('accept points in any order, convert a counter to rates, and support longer slots', async () => {
    const counter = Array.from({ length: 400 }, (_, row) => [START - row * 30, 1_000_000 - row * 60]);
    const { data } = await start({
      timeseries: counter,
      counter: true,
      resolution_seconds: 60,
      models: ['robust_deviation'],
    });
    expect(data.benchmark).toMatchObject({ resolution_seconds: 60, points_count: 201 });
    await done(data.benchmark_id);
    const { data: numbers } = await app.call('get', `/benchmark/chartdata?benchmark_id=${data.benchmark_id}`, {});
    const rates = numbers.timeseries.slice(5, -5).map(([, rate]: number[]) => Math.round(rate!));
    expect(new Set(rates)).toEqual(new Set([2]));
  });

  it('accept a metric of the organisation with read permission', async () => {
    const orgId = (await app.anOrg()).id;
    const id = await app.aMetric(orgId, 'web.cpu');
    const points = aSeries();
    await app.series.write({
      ids: new Uint32Array(points.length).fill(id),
      timestamps: Float64Array.from(points, ([time]) => Math.floor(time / 60) * 60),
      values: Float64Array.from(points, ([, value]) => value),
    });
    const body = { metric: 'web.cpu', from: START - 6 * 3600, models: ['plumbline'] };
    const reader = await app.aToken(orgId, Permission.Read);
    const { data } = await start(body, { token: reader });
    expect(data.benchmark).toMatchObject({ points_count: 359, resolution_seconds: 60 });
    expect(await done(data.benchmark_id)).toMatchObject({ status: 'finished' });

    expect((await start(body)).data.error.code).toBe('not_authenticated');
    expect((await start(body, { token: await app.aToken(orgId, Permission.Write) })).data.error.code).toBe(
      'permission_denied',
    );
    const stranger = await app.aToken((await app.anOrg()).id, Permission.Read);
    expect((await start(body, { token: stranger })).data.error.code).toBe('not_found');
  });

  it('report every problem of a request', async () => {
    const codes = async (body: object): Promise<string[]> =>
      ((await start(body)).data.error.details as { field: string; code: string }[]).map(
        ({ field, code }) => `${field} ${code}`,
      );
    expect(await codes({})).toEqual(['timeseries exactly_one']);
    expect(await codes({ timeseries: 5, models: ['plumbline', 'psychic'], labels: [[2, 1]] })).toEqual([
      'timeseries not_list',
      'models unknown_model',
      'labels bad_format',
    ]);
    expect(await codes({ timeseries: [[START, 'high']] })).toEqual(['timeseries bad_format']);
    expect((await start({ timeseries: aSeries(99) })).data.error.code).toBe('not_enough_data');
    const few = await start({ timeseries: aSeries(120), models: ['matrix_profile', 'plumbline'] });
    const { models } = await done(few.data.benchmark_id);
    expect(models[0]).toMatchObject({
      id: 'matrix_profile',
      status: 'failed',
      message: expect.stringContaining('needs more'),
    });
    expect(models[1]).toMatchObject({ status: 'finished' });
  });

  it('limit a caller to two at a time and to a number per hour', async () => {
    const orgId = (await app.anOrg()).id;
    const token = await app.aToken(orgId, Permission.Read);
    const body = { timeseries: aSeries(120), models: ['robust_deviation'] };
    const waiting = jest.spyOn(app.get(BenchmarkRunnerService), 'run').mockResolvedValue();
    const first = await start(body, { token });
    await start(body, { token });
    const reading = jest.spyOn(SeriesReaderService.prototype, 'read');
    const inserting = jest.spyOn(app.get(BenchmarkRepository), 'insert');
    const third = await start(body, { token });
    // A refused benchmark causes neither a read of its series nor an insert.
    expect(reading).not.toHaveBeenCalled();
    expect(inserting).not.toHaveBeenCalled();
    reading.mockRestore();
    inserting.mockRestore();
    expect(third).toMatchObject({ status: 429, data: { error: { code: 'rate_limited' } } });
    expect(third.headers['retry-after']).toBeDefined();
    waiting.mockRestore();
    await done(first.data.benchmark_id);
    const fourth = await start(body, { token });
    expect(fourth.data.message).toMatch(/try again in \d+ s/);
  });

  it('of different parties take turns, and those of one party run one after another', async () => {
    const orgs = await Promise.all([app.anOrg(), app.anOrg()]);
    const [one, other] = await Promise.all(orgs.map(({ id }) => app.aToken(id, Permission.Read)));
    const body = { timeseries: aSeries(120), models: ['robust_deviation'] };
    const ids: string[] = [];
    const waiting = jest.spyOn(app.get(BenchmarkRunnerService), 'run').mockResolvedValue();
    for (const token of [one!, one!, other!]) {
      app.clock.seconds++;
      ids.push((await start(body, { token })).data.benchmark_id);
    }
    waiting.mockRestore();
    const benchmarks = app.get(BenchmarkRepository);
    const claimed = [
      await benchmarks.claimNext(START),
      await benchmarks.claimNext(START),
      await benchmarks.claimNext(START),
    ];
    expect(claimed.map((row) => row?.key)).toEqual([ids[0], ids[2], undefined]);
  });

  it('restart after the process has died, and fail after three attempts', async () => {
    const waiting = jest.spyOn(app.get(BenchmarkRunnerService), 'run').mockResolvedValue();
    const { data } = await start({ timeseries: aSeries(150), models: ['robust_deviation', 'plumbline'] });
    const id: string = data.benchmark_id;
    const benchmarks = app.get(BenchmarkRepository);
    const runner = app.get(BenchmarkRunnerService);
    // Simulates a process that was killed.
    await benchmarks.claimNext(START);
    waiting.mockRestore();
    app.clock.seconds += 50;
    await runner.run();
    expect((await status(id)).data.benchmark.status).toBe('running');
    app.clock.seconds += 20;
    expect(await done(id)).toMatchObject({ status: 'finished' });

    const waitingAgain = jest.spyOn(app.get(BenchmarkRunnerService), 'run').mockResolvedValue();
    const again = await start({ timeseries: aSeries(150), models: ['plumbline'] });
    for (let time = 0; time < 3; time++) {
      await benchmarks.claimNext(app.clock.now());
      if (time < 2) await benchmarks.release(again.data.benchmark_id, time + 1);
    }
    waitingAgain.mockRestore();
    app.clock.seconds += 70;
    expect(await done(again.data.benchmark_id)).toMatchObject({
      status: 'failed',
      message: 'The service has stopped 3 times while it ran this benchmark.',
    });
  });

  it('send one mail when finished, and delete the address', async () => {
    const waiting = jest.spyOn(app.get(BenchmarkRunnerService), 'run').mockResolvedValue();
    const { data } = await start({ timeseries: aSeries(150), models: ['plumbline'], email: 'ann@example.org' });
    const id: string = data.benchmark_id;
    expect(data.benchmark.email_set).toBe(true);
    const ask = (email: string): Promise<Answer> =>
      app.call('post', '/benchmark/setemailaddress', {}, { benchmark_id: id, email });
    expect((await ask('bob@example.org')).status).toBe(200);
    waiting.mockRestore();
    await done(id);
    const mail = await mailbox.next('bob@example.org');
    expect(mail.subject).toBe('Your benchmark is done');
    expect(mail.text).toContain(`/benchmark/${id}`);
    expect(mail.text).toContain(`/api/benchmark/chart?benchmark_id=${id}`);
    expect(mailbox.all.some(({ recipient }) => recipient === 'ann@example.org')).toBe(false);
    const [row] = await app.database.dataSource.query('SELECT email, holder, party FROM benchmark WHERE key = $1', [
      id,
    ]);
    expect(row).toEqual({ email: null, holder: null, party: null });
    expect((await ask('carl@example.org')).data.error.code).toBe('state_conflict');

    const quiet = await start({ timeseries: aSeries(150), models: ['plumbline'] });
    await done(quiet.data.benchmark_id);
    await app.call(
      'post',
      '/benchmark/setemailaddress',
      {},
      { benchmark_id: quiet.data.benchmark_id, email: 'dan@example.org' },
    );
    expect((await mailbox.next('dan@example.org')).subject).toBe('Your benchmark is done');
  });

  it('limit the number of mails to one address', async () => {
    const waiting = jest.spyOn(app.get(BenchmarkRunnerService), 'run').mockResolvedValue();
    const { data } = await start({ timeseries: aSeries(150), models: ['plumbline'] });
    const ask = async (email: string): Promise<number> =>
      (await app.call('post', '/benchmark/setemailaddress', {}, { benchmark_id: data.benchmark_id, email })).status;
    const answers: number[] = [];
    for (let i = 0; i < 11; i++) answers.push(await ask('eve@example.org'));
    expect(answers).toEqual([...Array<number>(10).fill(200), 429]);
    expect(await ask('frank@example.org')).toBe(200);
    expect((await start({ timeseries: aSeries(150), email: 'EVE@example.org' })).status).toBe(429);
    waiting.mockRestore();
  });

  it('expire after seven days, and are erased', async () => {
    const { data } = await start({ timeseries: aSeries(150), name: 'secret', models: ['plumbline'] });
    const id: string = data.benchmark_id;
    await done(id);
    app.clock.seconds += 7 * DAY;
    expect(await status(id)).toMatchObject({ status: 410, data: { error: { code: 'expired' } } });
    expect((await app.call('get', `/benchmark/chartdata?benchmark_id=${id}`, {})).status).toBe(410);
    app.clock.seconds += 1;
    await app.get(BenchmarkRepository).eraseExpired(app.clock.now());
    expect((await status(id)).status).toBe(410);
    const [row] = await app.database.dataSource.query(
      'SELECT name, series, (SELECT count(*)::int FROM benchmark_result) AS results FROM benchmark WHERE key = $1',
      [id],
    );
    expect(row).toEqual({ name: '', series: null, results: 0 });
    app.clock.seconds += 31 * DAY;
    await app.get(BenchmarkRepository).eraseExpired(app.clock.now());
    expect((await status(id)).status).toBe(404);
  });
});
