import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Permission } from '#libs/contracts';
import { accessName, type AccessRule } from '../../apps/server/src/common/auth/access.decorators.js';
import { type Route } from '../../apps/server/src/common/http/route-table.js';
import { createPreviewApp, routesOf } from '../support/app.js';

interface ContractRoute {
  method: string;
  /** Relative to the API base. */
  path: string;
  permission: string;
  /** `-` none, `w` write, `g` GET with a side effect, `r` page or redirect for a browser. */
  sideEffect: string;
  /** `y` allowed for demo users, `n` not, `p` in part. */
  demo: string;
}

const contract = JSON.parse(readFileSync(resolve(import.meta.dirname, 'contract-routes.json'), 'utf8')) as {
  api: ContractRoute[];
  /** Calls that the service has in addition to the contract. The general rules of the contract apply to them too. */
  added: ContractRoute[];
  /** Section 5: calls of InfluxDB clients. */
  influxClients: Pick<ContractRoute, 'method' | 'path' | 'permission'>[];
  /** Section 4.1: calls at the root in the format of other protocols. */
  foreign: Pick<ContractRoute, 'method' | 'path' | 'permission'>[];
  /** Section 5: paths that accept points. */
  ingest: string[];
};

/** Terms of the contract for more than one permission, and those of `accessName`. */
const ACCESS_NAMES: Readonly<Record<string, string | undefined>> = { 'read~': 'read|write', 'admin+': 'alert|admin' };
/** Pages, streams and steps of a browser, which have no POST form. */
const WITHOUT_POST_FORM = new Set([
  '/doc',
  '/doc/assets/{file}',
  '/doc/config-schema',
  '/doc/openapi',
  '/js/eventsender.js',
  '/stream',
  '/login/sso',
  '/login/sso/callback',
]);
/** Redirects with a side effect: they start and end a login. */
const CHANGING_REDIRECTS = new Set(['/login/sso', '/login/sso/callback']);
const SHARED_CONTRACT = resolve(import.meta.dirname, '../../../shared/contract.md');

const shape = (path: string) => path.replace(/:\w+|\{\w+\}/g, '{}');

function isOpenToDemo(rule: AccessRule | undefined): boolean {
  switch (rule?.kind) {
    case 'public':
      return true;
    case 'session':
      return rule.demo;
    case 'permissions':
      return rule.needs === 'any' ? (rule.bits & Permission.Read) !== 0 : (rule.bits & ~Permission.Read) === 0;
    default:
      return false;
  }
}

describe('the routes of the contract', () => {
  let routes: Map<string, Route>;
  beforeAll(async () => {
    const all = routesOf(await createPreviewApp());
    routes = new Map(all.map((route) => [`${route.method} ${shape(route.path)}`, route]));
  });
  const find = (method: string, path: string) => routes.get(`${method} ${shape(path)}`);
  const api = (row: ContractRoute) => find(row.method, `/api${row.path}`);
  // OPTIONS is answered for every path before routing (http-manners.spec.ts).
  const rows = [...contract.api, ...contract.added].filter((row) => row.method !== 'OPTIONS');
  const named = (row: ContractRoute) => `${row.method} ${row.path}`;

  it('are served or listed as not implemented', () => {
    expect(rows.filter((row) => !api(row)).map(named)).toEqual([]);
  });

  it('are all served by a process with only the role api', async () => {
    const apart = routesOf(await createPreviewApp(['api']));
    const served = new Set(apart.map((route) => `${route.method} ${shape(route.path)}`));
    expect(rows.filter(({ method, path }) => !served.has(`${method} ${shape(`/api${path}`)}`)).map(named)).toEqual([]);
  });

  it('require the documented permissions', () => {
    const found = rows.map((row) => {
      const rule = api(row)?.access;
      return `${named(row)} ${rule ? accessName(rule) : '?'}`;
    });
    expect(found).toEqual(rows.map((row) => `${named(row)} ${ACCESS_NAMES[row.permission] ?? row.permission}`));
  });

  it('have the documented side effects', () => {
    const effectOf = (route: Route | undefined) => (route?.isUnsafeGet ? 'g' : route?.isSideEffect ? 'w' : '-');
    const documented = ({ path, sideEffect }: ContractRoute) =>
      sideEffect === 'r' ? (CHANGING_REDIRECTS.has(path) ? 'g' : '-') : sideEffect;
    expect(rows.map((row) => `${named(row)} ${effectOf(api(row))}`)).toEqual(
      rows.map((row) => `${named(row)} ${documented(row)}`),
    );
  });

  it('are open to demo users only where documented', () => {
    expect(rows.filter((row) => isOpenToDemo(api(row)?.access)).map(named)).toEqual(
      rows.filter((row) => row.demo !== 'n' && row.permission !== 'ingest').map(named),
    );
  });

  it('have a POST form of every GET, unless POST has another meaning', () => {
    const posts = new Set(rows.filter((row) => row.method === 'POST').map((row) => row.path));
    const gets = rows.filter((row) => row.method === 'GET' && !posts.has(row.path) && !WITHOUT_POST_FORM.has(row.path));
    expect(gets.filter((row) => !find('POST', `/api${row.path}`)).map(named)).toEqual([]);
    expect([...WITHOUT_POST_FORM].filter((path) => find('POST', `/api${path}`))).toEqual([]);
  });

  it('include every ingest path, with the ingest permission', () => {
    const found = contract.ingest.map((path) => {
      const rule = find('POST', path)?.access;
      return `${path} ${rule ? accessName(rule) : '?'}`;
    });
    expect(found).toEqual(contract.ingest.map((path) => `${path} ingest`));
  });

  it('include the calls of InfluxDB clients at the root', () => {
    const found = contract.influxClients.map(({ method, path }) => {
      const rule = find(method, path)?.access;
      return { method, path, permission: rule ? accessName(rule) : '?' };
    });
    expect(found).toEqual(contract.influxClients);
  });

  it('include the calls of other protocols at the root', () => {
    const found = contract.foreign.map(({ method, path }) => {
      const rule = find(method, path)?.access;
      return { method, path, permission: rule ? accessName(rule) : '?' };
    });
    expect(found).toEqual(contract.foreign);
  });

  it('include every route of the server', () => {
    const known = new Set([
      ...rows.map((row) => `${row.method} ${shape(`/api${row.path}`)}`),
      ...contract.ingest.map((path) => `POST ${path}`),
      ...contract.influxClients.map(({ method, path }) => `${method} ${path}`),
      ...contract.foreign.map(({ method, path }) => `${method} ${shape(path)}`),
    ]);
    const stray = [...routes].filter(([key, route]) => !known.has(key) && !route.isPostTwin).map(([key]) => key);
    expect(stray).toEqual([]);
  });

  // The document is only available where it is written, not in copies of the repository.
  if (existsSync(SHARED_CONTRACT)) {
    it('match the tables of the document', () => {
      const tables = readFileSync(SHARED_CONTRACT, 'utf8').split('\n### 9.1 ')[1] ?? '';
      const cells = tables.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
      const documented = cells.filter(([, method]) => /^(GET|POST|PUT|DELETE|OPTIONS)$/.test(method ?? ''));
      expect(contract.api).toEqual(
        documented.map(([, method, path, permission, sideEffect, demo]) => ({
          method,
          path,
          permission,
          sideEffect,
          demo,
        })),
      );
    });
  }
});
