import { Permission } from '#libs/contracts';
import { type Headers, WholeApp } from '../../../../../test/support/whole-app.js';

/** Covers the lists that section 4.1 of the contract also offers as CSV. */
describe('responses as CSV', () => {
  let app: WholeApp;
  let read: Headers;

  beforeAll(async () => {
    app = await WholeApp.create();
    const org = await app.anOrg('Example Ltd');
    read = await app.tokenOf(org.id, Permission.Read);
    const points = [{ metric: '=web-1.cpu', value: -1.5 }];
    await app
      .http()
      .post('/ingest/metrics')
      .set(await app.tokenOf(org.id, Permission.Ingest))
      .send(points)
      .expect(204);
  });
  afterAll(() => app.close());

  it.each([
    ['/anomalies', /^id,metric,metric_id,timestamp,until_timestamp,kind,state,severity/],
    ['/metric/%3Dweb-1.cpu/timeseries', /^timestamp,value\r\n(\d{4}-\d\d-\d\dT\d\d:\d\d:00Z,(-1\.5)?\r\n)+$/],
    [
      '/metric/%3Dweb-1.cpu/yhat',
      /^timestamp,yhat,yhat_lower,yhat_upper,yhat_real_lower,value,mean,score,anomalous\r\n/,
    ],
  ])('returns %s as text/csv for format=csv, and rejects an unknown format', async (path, expected) => {
    const get = () => app.http().get(`/api${path}`).set(read);
    const answer = await get().query({ format: 'csv' }).expect(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.text).toMatch(expected);
    expect((await get().expect(200)).body).toMatchObject({ status: { code: 200 } });
    expect((await get().query({ format: 'xls' }).expect(400)).body).toMatchObject({
      data: { error: { details: [{ field: 'format', code: 'not_one_of' }] } },
    });
  });
});
