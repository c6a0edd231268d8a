import { Permission } from '#libs/contracts';
import { START } from '../../../../../test/support/hand-clock.js';
import { PrometheusStandIn } from '../../../../../test/support/prometheus.js';
import { SourceApp } from '../../../../../test/support/source-app.js';
import { ConfigDocumentModule } from '../../views/config-document/config-document.module.js';

let app: SourceApp;
let store: PrometheusStandIn;
let orgId: number;
let token: string;

beforeAll(async () => {
  app = await SourceApp.create({ env: { PLUMBLINE_OUTGOING: '127.0.0.0/8' } }, [ConfigDocumentModule]);
  store = await new PrometheusStandIn().listen();
});
afterAll(async () => {
  await app.close();
  await store.close();
});
beforeEach(async () => {
  app.clock.seconds = START;
  orgId = (await app.anOrg()).id;
  token = await app.aToken(orgId, Permission.Read, Permission.Admin);
});

const call = async (method: 'get' | 'post', path: string, body?: object) => {
  const answer = await app.http()[method](`/api${path}`).set('X-Auth-Token', token).send(body);
  return { status: answer.status, data: answer.body.data };
};
const apply = async (document: string, more: object = {}): Promise<string[]> => {
  const { status, data } = await call('post', '/config/apply', { document, ...more });
  if (status !== 200) return [JSON.stringify(data)];
  return (data.changes as { name: string; action: string }[]).map(({ name, action }) => `${name} ${action}`);
};
const exported = async (): Promise<string> => (await call('get', '/config/export')).data.document as string;

describe('sources in configuration documents', () => {
  const document = (more = '') => `kind: source
name: shop load
type: promql
url: ${store.url}
query: sum(load)
username: me
password: hidden-word
headers_set: { X-Scope-OrgID: team-a }
backfill_seconds: 0
${more}`;

  it('are applied once, exported without secrets, and unchanged when the export is applied', async () => {
    expect(await apply(document(), { dry_run: true })).toEqual(['shop load created']);
    expect((await call('get', '/sources')).data.total).toBe(0);
    expect(await apply(document())).toEqual(['shop load created']);
    expect(await apply(document())).toEqual(['shop load unchanged']);
    const text = await exported();
    expect(text).toContain('password: ${SOURCE_SHOP_LOAD_PASSWORD}');
    expect(text).toContain('headers_set: ${SOURCE_SHOP_LOAD_HEADERS}');
    expect(text).not.toMatch(/hidden-word|team-a/);
    expect(await apply(text)).toEqual(['shop load unchanged']);
    expect(await apply(`${text}unit: ms\n`)).toEqual(['shop load updated']);
    await app.read();
    const basic = `Basic ${Buffer.from('me:hidden-word').toString('base64')}`;
    expect(store.received.at(-1)!.headers).toMatchObject({ authorization: basic, 'x-scope-orgid': 'team-a' });
  });

  it('accept headers as a string, and reset omitted members to their defaults', async () => {
    await apply(document('max_series: 7'));
    const text = document().replace('{ X-Scope-OrgID: team-a }', `'{"X-Scope-OrgID":"team-a"}'`);
    expect(await apply(text)).toEqual(['shop load updated']);
    expect((await call('get', '/sources')).data.sources).toMatchObject([{ max_series: 10_000, password_set: true }]);
    expect(await apply(text)).toEqual(['shop load unchanged']);
  });

  it('do not keep secrets for a different URL, and reject an address that is not allowed', async () => {
    await apply(document());
    const moved = (await exported()).replace(`${store.url}/`, `${store.url}/elsewhere`);
    expect((await apply(moved))[0]).toContain('that is stored for another address');
    const refused = await apply(document().replace(store.url, 'http://169.254.169.254'));
    expect(refused[0]).toContain('address_not_allowed');
    expect(await apply('kind: source\nname: x\ntype: sql\nurl: http://x\nquery: y')).toEqual([
      expect.stringContaining('must begin with postgres:// or mysql://'),
    ]);
  });

  it('are removed by prune, with events', async () => {
    await apply(document());
    expect(await apply(document().replace('shop load', 'other'), { prune: true })).toEqual([
      'other created',
      'shop load removed',
    ]);
    expect((await app.eventTexts(orgId)).map(([type]) => type)).toEqual([
      'source_added',
      'source_added',
      'source_removed',
    ]);
  });
});
