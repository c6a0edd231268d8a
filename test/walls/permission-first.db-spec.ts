import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Permission } from '#libs/contracts';
import { isWalked } from '../support/walked-paths.js';
import { type Headers, WholeApp } from '../support/whole-app.js';

/** Section 6.1 of the contract: checks are in the order credential, cross-site, permission, parameters. */
interface Route {
  method: string;
  path: string;
  permission: string;
  demo: string;
}

const { api, added } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../architecture/contract-routes.json'), 'utf8'),
) as Record<'api' | 'added', Route[]>;
const ROUTES = [...api, ...added].filter(
  ({ method, path, permission }) =>
    permission !== 'none' && method !== 'OPTIONS' && path !== '/stream' && isWalked(path),
);

const PLACES: Readonly<Record<string, string>> = {
  alert_code: '1',
  metric_name: 'id:999999999',
  panel_name: 'overview',
  service_id: 'webhook',
  token_id: 'ref:999999999',
};

/** Values that are invalid for parameters of these names, and an unknown name. */
const WRONG = {
  from: 'yesterday',
  until: 'today',
  limit: 'many',
  chips: '',
  timezone: 'Mars/Olympus',
  name: 'x'.repeat(5000),
  state: 'broken',
  metric_limit: -1,
  alerts_muted_minutes: 'long',
  unknown_name: 'x',
};

describe('a caller without permission', () => {
  let app: WholeApp;
  let callers: Readonly<Record<'alert' | 'ingest' | 'read' | 'demo', Headers>>;

  beforeAll(async () => {
    app = await WholeApp.create();
    const org = await app.anOrg('Example Ltd');
    const demo = await app.aDemoUser(org.id);
    callers = {
      alert: await app.tokenOf(org.id, Permission.Alert),
      ingest: await app.tokenOf(org.id, Permission.Ingest),
      read: await app.tokenOf(org.id, Permission.Read),
      demo: await app.sessionOf(demo.id),
    };
  });
  afterAll(() => app.close());

  /** Callers without permission for the route. */
  function refusedOf({ permission, demo }: Route): Headers[] {
    if (permission === 'ingest') return [callers.read, callers.demo];
    if (permission === 'session') return demo === 'n' ? [callers.ingest, callers.demo] : [callers.ingest];
    const mayRead = permission.startsWith('read');
    return mayRead ? [callers.ingest] : [callers.ingest, callers.read, callers.demo];
  }

  async function statusesOf({ method, path: pattern }: Route, headers: Headers): Promise<Record<string, number>> {
    const path = `/api${pattern.replace(/\{(\w+)\}/g, (_match, name: string) => PLACES[name] ?? '999999999')}`;
    const call = () => app.http()[method.toLowerCase() as 'get'](path).set(headers).redirects(0);
    const inQuery = await call().query(WRONG);
    // The body of a GET is not read.
    if (method === 'GET') return { inQuery: inQuery.status };
    const sent = { 'Content-Type': 'application/json' };
    return {
      inQuery: inQuery.status,
      inBody: (await call().send(WRONG)).status,
      inForm: (await call().type('form').send({ limit: 'many', unknown_name: 'x' })).status,
      noJson: (await call().set(sent).send('{"name":')).status,
      noObject: (await call().set(sent).send('[1]')).status,
    };
  }

  it.each([
    ['PUT', '/org'],
    ['POST', '/org/update'],
  ])('with alert permission gets 403 from %s %s for more than muting', async (method, path) => {
    const statusOf = async (body: object): Promise<number> => {
      const call = app.http()[method.toLowerCase() as 'put'](`/api${path}`).set(callers.alert);
      return (await call.send(body)).status;
    };
    expect(await statusOf(WRONG)).toBe(403);
    expect(await statusOf({ unknown_name: 'x' })).toBe(403);
    expect(await statusOf({ alerts_muted_minutes: 5, unknown_name: 'x' })).toBe(403);
    expect(await statusOf({ alerts_muted_minutes: 'long' })).toBe(400);
    expect(await statusOf({ alerts_muted_minutes: 5 })).toBe(200);
  });

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'gets 403 from %s, even with invalid parameters',
    async (_, route) => {
      for (const headers of refusedOf(route)) {
        const statuses = await statusesOf(route, headers);
        expect(statuses).toEqual(Object.fromEntries(Object.keys(statuses).map((method) => [method, 403])));
      }
    },
  );
});
