import { gzipSync } from 'node:zlib';
import { type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { createEdgeApp, FIXED_NOW, TOKENS } from '../../../../../test/support/edge-app.js';
import { FakeIngest } from '../../../../../test/support/fake-ingest.js';
import { IngestController } from './ingest.controller.js';

/** Tue 12 Jul 2022 15:01:00 UTC */
const NOW = FIXED_NOW;

const KNOWN = 'the parameters are metric, timezone, time_format, decimal, backfill';

describe('POST /ingest/csv', () => {
  const fakes = new FakeIngest();
  let app: INestApplication;

  beforeAll(async () => {
    app = await createEdgeApp({ controllers: [IngestController], imports: [fakes.module] });
  });
  afterAll(() => app.close());
  beforeEach(() => fakes.reset());

  const post = (query = '') =>
    request(app.getHttpServer() as Parameters<typeof request>[0])
      .post(`/ingest/csv${query}`)
      .set('X-Auth-Token', TOKENS.ingest);
  const send = (text: string, query?: string) => post(query).set('Content-Type', 'text/csv').send(text);

  const points = () =>
    fakes.log.appended.flatMap(({ batch, kind }) =>
      Array.from(batch.ids, (id, row) => {
        const [name] = [...fakes.registry.ids].find(([, known]) => known === id)!;
        return `${kind} ${name} ${String(batch.timestamps[row]! - NOW)} ${String(batch.values[row])}`;
      }),
    );

  it.each([
    ['long', `timestamp,metric,value\n${String(NOW - 86_400)},a,1\n${String(NOW)},b,2\n`, ''],
    ['wide', `timestamp;a;b\n${String(NOW - 86_400)};1;\n${String(NOW)};;2\n`, ''],
  ])('stores points as backfill by default: %s', async (_, text, query) => {
    await send(text, query).expect(204);
    expect(points()).toEqual(['backfill a -86400 1', 'backfill b 0 2']);
    expect(fakes.registry.sources).toEqual(new Set(['csv']));
  });

  it('accepts two columns when the query names the metric', async () => {
    await send(`${String(NOW)},5\n`, '?metric=a.b').expect(204);
    expect(points()).toEqual(['backfill a.b 0 5']);
  });

  it.each(['?backfill=false', '?backfill=0'])('stores points as live with %s', async (query) => {
    const answer = await send(`${String(NOW)},a,1\n${String(NOW - 86_400)},a,1\n`, query).expect(207);
    expect(answer.body).toMatchObject({ accepted: 1, refused: 1 });
    expect(points()).toEqual(['live a 0 1']);
  });

  it('interprets times in the time zone of the organisation or of the query', async () => {
    const text = '2022-07-12 17:01:00,a,1\n';
    await send(text).expect(204);
    await send(text.replace('17:01', '11:01'), '?timezone=America/New_York').expect(204);
    expect(points()).toEqual(['backfill a 0 1', 'backfill a 0 1']);
    const answer = await send(text, '?timezone=Atlantis').expect(400);
    expect(answer.body).toMatchObject({ error: 'validation_failed', details: [{ field: 'timezone' }] });
  });

  it('accepts a form file and a compressed body', async () => {
    await post()
      .attach('file', Buffer.from(`${String(NOW)},a,1\n`), 'points.csv')
      .expect(204);
    await post()
      .set('Content-Type', 'text/csv')
      .set('Content-Encoding', 'gzip')
      .serialize((bytes: unknown) => bytes as string)
      .send(gzipSync(`${String(NOW)},b,2\n`))
      .expect(204);
    expect(points()).toEqual(['backfill a 0 1', 'backfill b 0 2']);
  });

  it('accepts a body larger than 4 MiB under the API base path', async () => {
    const lines = Array.from(
      { length: 150_000 },
      (_, i) => `${String(NOW - i * 60)},a.rather.long.name.of.a.metric,${String(i)}`,
    );
    const text = `timestamp,metric,value\n${lines.join('\n')}\n`;
    expect(text.length).toBeGreaterThan(4_194_304);
    await request(app.getHttpServer() as Parameters<typeof request>[0])
      .post('/api/ingest/csv')
      .set('X-Auth-Token', TOKENS.ingest)
      .set('Content-Type', 'text/csv')
      .send(text)
      .expect(204);
    expect(fakes.log.points).toBe(150_000);
  });

  it('rejects an empty body as malformed', async () => {
    const answer = await send('').expect(400);
    expect(answer.body).toMatchObject({
      error: 'malformed_body',
      message: expect.stringContaining('the body is empty'),
    });
  });

  it('parses times and numbers in the format that the query names', async () => {
    const text = 'Zeit;a\n12.07.2022 17:00;1.005,5\n12.07.2022 17:01;2,5\n';
    await send(text, `?${new URLSearchParams({ time_format: 'dd.MM.yyyy HH:mm', decimal: ',' }).toString()}`).expect(
      204,
    );
    expect(points()).toEqual(['backfill a -60 1005.5', 'backfill a 0 2.5']);
  });

  it.each([
    ['?time_format=HH:mm', 'time_format'],
    ['?decimal=;', 'decimal'],
  ])('rejects the invalid parameter %s', async (query, field) => {
    const answer = await send(`${String(NOW)},a,1\n`, query).expect(400);
    expect(answer.body).toMatchObject({ error: 'validation_failed', details: [{ field }] });
  });

  it.each([
    ['?timestmap=x', 'timestmap', 'unknown_parameter', `timestmap is not a parameter of this path; ${KNOWN}`],
    ['?precision=s&metric=a', 'precision', 'unknown_parameter', `precision is not a parameter of this path; ${KNOWN}`],
    ['?backfill=flase', 'backfill', 'not_boolean', 'backfill must be true or false, got "flase"'],
    ['?metric=a&metric=b', 'metric', 'duplicate_parameter', 'metric is given with different values'],
  ])('refuses the parameter in %s before it reads the body', async (query, field, code, message) => {
    const answer = await send(`${String(NOW)},1\n`, query).expect(400);
    expect(answer.body).toEqual({
      code: 400,
      error: 'validation_failed',
      message,
      details: [{ field, code, message }],
    });
    expect(fakes.log.appended).toEqual([]);
  });

  it('accepts a parameter that is repeated with the same value, and a session that it ignores', async () => {
    await send(`${String(NOW)},1\n`, '?metric=a&metric=a&session_id=x').expect(204);
    expect(points()).toEqual(['backfill a 0 1']);
  });

  it('accepts the newest row first, and stores points in order of time', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `${String(NOW - i * 60)},${String(i)}`);
    await send(`time,a\n${rows.join('\n')}\n`).expect(204);
    expect(points()).toEqual(rows.map((_, i) => `backfill a ${String((i - 399) * 60)} ${String(399 - i)}`));
  });

  it('reports the number of refused points, and the first three lines with value and reason', async () => {
    const good = `${String(NOW)},a,1\n`;
    const bad = ['10.8 %', '1.2 GB', 'x', 'y', 'z'].map((value) => `${String(NOW)},a,${value}\n`);
    const answer = await send(`timestamp,metric,value\n${good}${bad.join('')}`).expect(207);
    const lines = [
      { line: 3, problem: 'column "value": "10.8 %" has the unit %; send the number alone' },
      { line: 4, problem: 'column "value": "1.2 GB" has the unit GB; send the number alone' },
      { line: 5, problem: 'column "value": "x" is not a number' },
    ];
    expect(answer.body).toMatchObject({ submitted: 6, accepted: 1, refused: 5, lines });
    expect((answer.body as { message: string }).message.split('\n')).toEqual([
      '5 of 6 points refused: 5 not_numeric; 1 accepted.',
      ...lines.map(({ line, problem }) => `line ${String(line)}: ${problem}.`),
    ]);
  });

  it('refuses a row with more cells than columns as a whole, with its line number', async () => {
    const time = String(NOW);
    const answer = await send(`time,a,b\n${time},1,5,2\n${time},3,4\n`).expect(207);
    const problem = 'the row must have at most 3 cells, like the header, got 4; put a cell that contains "," in quotes';
    expect(answer.body).toMatchObject({ submitted: 3, accepted: 2, refused: 1, lines: [{ line: 2, problem }] });
    expect(points()).toEqual(['backfill a 0 3', 'backfill b 0 4']);
  });

  it('reports the lines of refused points', async () => {
    const answer = await send(`timestamp,metric,value\n${String(NOW)},a,x\n${String(NOW)},"a b!",1\n`).expect(207);
    expect(answer.body).toMatchObject({ submitted: 2, refused: 2 });
    expect(answer.body.message).toContain('line 2');
  });

  it.each([
    ['a form without a file', () => post().field('other', 'x'), 400],
    ['invalid CSV', () => send('"a'), 400],
    ['an empty body', () => send(''), 400],
    ['a file without content', () => post().attach('file', Buffer.alloc(0), 'points.csv'), 400],
    ['UTF-16', () => post().attach('file', Buffer.from('\ufefftime,a\n1,2\n', 'utf16le'), 'points.csv'), 400],
    ['an unsupported media type', () => post().set('Content-Type', 'application/json').send('{}'), 415],
    ['more than 20 MiB', () => send('x'.repeat(21 << 20)), 413],
    [
      'more than 20 MiB when decompressed',
      () =>
        post()
          .set('Content-Type', 'text/csv')
          .set('Content-Encoding', 'gzip')
          .serialize((bytes: unknown) => bytes as string)
          .send(gzipSync(Buffer.alloc(21 << 20, 'x'))),
      413,
    ],
    ['too many points', () => send(`${String(NOW)},a,1\n`.repeat(200_001)), 413],
  ])('rejects %s', async (_, request_, status) => {
    const answer = await request_().expect(status);
    expect(answer.body).toMatchObject({ code: status, message: expect.any(String) });
    expect(fakes.log.appended).toEqual([]);
  });
});
