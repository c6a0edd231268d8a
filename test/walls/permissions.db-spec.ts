import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Permission, type PermissionName } from '#libs/contracts';
import { isWalked } from '../support/walked-paths.js';
import { type Headers, WholeApp } from '../support/whole-app.js';

/** Section 1.5 of the contract, for every route of section 9, every additional route, and every kind of caller. */
interface ContractRoute {
  method: string;
  path: string;
  permission: string;
  /** `-` none, `w` write, `g` GET with a side effect, `r` page or redirect for a browser. */
  sideEffect: string;
  demo: string;
}

const { api, added } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../architecture/contract-routes.json'), 'utf8'),
) as Record<'api' | 'added', ContractRoute[]>;
const SERVED = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../apps/server/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown> | undefined>;
};

/** The POST forms of GET calls (1.6). */
const POST_FORMS = [...api, ...added]
  .filter(({ method, path }) => method === 'GET' && SERVED.paths[`/api${path}`]?.post !== undefined)
  .filter(({ path }) => ![...api, ...added].some((other) => other.method === 'POST' && other.path === path))
  .map((row) => ({ ...row, method: 'POST' }));
const ROUTES = [...api, ...added, ...POST_FORMS];

const NAMES: readonly PermissionName[] = ['read', 'write', 'alert', 'ingest', 'admin'];
const BITS: Readonly<Record<PermissionName, Permission>> = {
  read: Permission.Read,
  write: Permission.Write,
  alert: Permission.Alert,
  ingest: Permission.Ingest,
  admin: Permission.Admin,
};

interface Caller {
  name: string;
  kind: 'user' | 'token' | 'nobody';
  has: readonly PermissionName[];
  demo: boolean;
  /** The code that a protected route returns before it checks permissions. */
  refusal?: string;
  /** The request comes from a page of another site, with the cookie of the browser. */
  isForeignPage?: boolean;
  credential(): Promise<Headers>;
}

/** `may`, or the code that must be returned. Errors that are not about credentials count as `may`. */
function expected({ permission, demo, sideEffect }: ContractRoute, caller: Caller): string {
  if (permission === 'none') return 'may';
  if (caller.isForeignPage && sideEffect !== '-') return 'cross_site_refused';
  if (caller.refusal !== undefined) return caller.refusal;
  if (permission === 'session') {
    if (caller.kind === 'token') return 'session_required';
    return caller.demo && demo === 'n' ? 'demo_account session' : 'may';
  }
  // Terms of the contract for alternative permissions.
  const wanted = { 'admin+': ['alert', 'admin'], 'read~': ['read', 'write'] }[permission] ?? [
    permission.replace('*', ''),
  ];
  if (wanted.some((name) => caller.has.includes(name as PermissionName))) return 'may';
  return `${caller.demo ? 'demo_account' : 'permission_denied'} ${wanted[0]!}`;
}

const ABOUT_CREDENTIALS = new Set([
  'not_authenticated',
  'session_expired',
  'token_expired',
  'permission_denied',
  'demo_account',
  'session_required',
  'cross_site_refused',
]);

/** Ids that do not exist: permissions are checked before rows are looked up. */
const PLACES: Readonly<Record<string, string>> = {
  alert_code: '1',
  metric_name: 'id:999999999',
  panel_name: 'overview',
  service_id: 'webhook',
  token_id: 'ref:999999999',
};

describe('permissions', () => {
  let app: WholeApp;
  const callers: Caller[] = [];

  beforeAll(async () => {
    app = await WholeApp.create();
    const org = await app.anOrg('Example Ltd');
    const [admin, user, demo] = [
      await app.aUser(org.id, { admin: true }),
      await app.aUser(org.id),
      await app.aDemoUser(org.id),
    ];
    const person = (name: string, id: number, has: readonly PermissionName[]): Caller => {
      // Each call gets its own session, because some calls end it.
      const credential = () => app.sessionOf(id);
      return { name, kind: 'user', has, demo: name === 'demo user', credential };
    };
    callers.push(
      person('administrator', admin.id, NAMES),
      person('user', user.id, ['read', 'write', 'alert']),
      person('demo user', demo.id, ['read']),
    );
    for (const name of NAMES) {
      const token = await app.tokenOf(org.id, BITS[name]);
      callers.push({
        name: `token that may ${name}`,
        kind: 'token',
        has: [name],
        demo: false,
        credential: async () => token,
      });
    }
    callers.push({
      ...person('page of another site in the browser of an administrator', admin.id, NAMES),
      isForeignPage: true,
      async credential() {
        const session = await app.sessionOf(admin.id);
        return { Cookie: `session_id=${session['X-Session-Id']!}`, 'Sec-Fetch-Site': 'cross-site' };
      },
    });
    const expired = await app.tokenOf(org.id);
    await app.query(`UPDATE token SET valid_until = now() - interval '1 day' WHERE ref = (SELECT max(ref) FROM token)`);
    const ended = await app.sessionOf(user.id);
    await app.http().post('/api/user/logout').set(ended);
    const stranger = (name: string, refusal: string, headers: Headers): Caller => {
      return { name, kind: 'nobody', has: [], demo: false, refusal, credential: async () => headers };
    };
    callers.push(
      stranger('nobody', 'not_authenticated', {}),
      stranger('made-up session', 'not_authenticated', { 'X-Session-Id': 'f'.repeat(32) }),
      stranger('made-up token', 'not_authenticated', { 'X-Auth-Token': `pl_${'x'.repeat(43)}` }),
      stranger('ended session', 'session_expired', ended),
      stranger('expired token', 'token_expired', expired),
    );
  });
  afterAll(() => app.close());

  async function verdict(method: string, path: string, headers: Headers): Promise<string> {
    const call = app.http()[method.toLowerCase() as 'get'](`/api${path}`).set(headers).redirects(0);
    const answer = await (method === 'GET' ? call : call.send({}));
    const error = (answer.body as { data?: { error?: { code: string; details: { message: string }[] } } }).data?.error;
    if (error === undefined || !ABOUT_CREDENTIALS.has(error.code)) return 'may';
    const isPublicRefusal = error.code === 'not_authenticated' && path.startsWith('/login/validateclient');
    // The login itself returns this for a code without a login that awaits one.
    if (isPublicRefusal) return 'may';
    const [missing] = error.details;
    return missing ? `${error.code} ${missing.message}` : error.code;
  }

  // OPTIONS is answered for all callers, and the stream does not end.
  const rows = ROUTES.filter(({ method, path }) => method !== 'OPTIONS' && path !== '/stream');

  it('include the POST forms of older calls', () => {
    expect(rows.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'POST /watcher/create',
        'POST /watcher/{watcher_id}/update',
        'POST /watcher/{watcher_id}/delete',
        'POST /watcher/{watcher_id}/undelete',
        'POST /watchers/list',
        'POST /integration/{service_id}/orgproperties',
        'POST /exclusion/add',
        'POST /exclusion/delete',
      ]),
    );
  });

  const walked = rows.filter(({ path }) => isWalked(path));
  it.each(walked.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', async (_, row) => {
    const path = row.path.replace(/\{(\w+)\}/g, (_match, name: string) => PLACES[name] ?? '999999999');
    const found: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const caller of callers) {
      // Public calls have their own rules for this.
      if (caller.isForeignPage && row.permission === 'none') continue;
      found[caller.name] = await verdict(row.method, path, await caller.credential());
      wanted[caller.name] = expected(row, caller);
    }
    expect(found).toEqual(wanted);
  });
});
