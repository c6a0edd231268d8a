/** The addresses of a VictoriaMetrics: one server, or the two sides of a cluster. */
export interface VictoriaMetricsAddress {
  /** Base of `/api/v1/import`. `{org}` represents the organisation of a series: a tenant for each. */
  writeUrl: string;
  /** Base of `/api/v1/export`. Default: the write address. */
  readUrl?: string;
}

export interface Endpoints {
  importUrl: string;
  exportUrl: string;
  queryUrl: string;
  deleteUrl: string;
  /** Single server only: makes imported data readable. Null for a cluster. */
  flushUrl: string | null;
  /** Single server only: its flags. Null for a cluster. */
  flagsUrl: string | null;
  /** Each organisation is a separate tenant. */
  isByTenant: boolean;
  authorization: { write: string | null; read: string | null };
}

const TENANT = '{org}';

/** The problem of an address, as a message for an operator; null if there is none. */
export function addressProblem({ writeUrl, readUrl }: VictoriaMetricsAddress): string | null {
  for (const url of [writeUrl, readUrl]) {
    if (url === undefined) continue;
    if (!URL.canParse(url.replaceAll(TENANT, '0')) || !/^https?:\/\//i.test(url)) {
      return 'must be an http or https address, as http://victoria-metrics:8428';
    }
    const { search, hash } = new URL(url.replaceAll(TENANT, '0'));
    if (search !== '' || hash !== '') return 'must be an address without query';
  }
  const writesToCluster = isClusterPath(writeUrl, 'insert');
  if (isClusterPath(writeUrl, 'select'))
    return 'is the side of a cluster that reads: give that of vminsert (/insert/…)';
  if (writesToCluster && readUrl === undefined) {
    return 'is the side of a cluster that writes: give the one that reads (/select/… of vmselect) too';
  }
  if (readUrl !== undefined) {
    if (!writesToCluster) return 'must be that of vminsert (…/insert/0/prometheus) where another address reads';
    if (!isClusterPath(readUrl, 'select')) return 'needs an address to read that has /select/… (vmselect)';
    if (tenantOf(writeUrl, 'insert') !== tenantOf(readUrl, 'select')) {
      return 'writes to another tenant than the one that is read';
    }
  } else if (writeUrl.includes(TENANT)) return 'may name {org} for a cluster only';
  return null;
}

/** @throws RangeError for an address with a problem */
export function endpointsOf(address: VictoriaMetricsAddress): Endpoints {
  const problem = addressProblem(address);
  if (problem !== null) throw new RangeError(`The address of VictoriaMetrics ${problem}`);
  const write = withoutCredentials(address.writeUrl);
  const read = withoutCredentials(address.readUrl ?? address.writeUrl);
  const isCluster = address.readUrl !== undefined;
  return {
    importUrl: `${write.url}/api/v1/import`,
    exportUrl: `${read.url}/api/v1/export`,
    queryUrl: `${read.url}/api/v1/query`,
    deleteUrl: `${isCluster ? read.url.replace('/select/', '/delete/') : read.url}/api/v1/admin/tsdb/delete_series`,
    flushUrl: isCluster ? null : `${write.url}/internal/force_flush`,
    flagsUrl: isCluster ? null : `${write.url}/flags`,
    isByTenant: address.writeUrl.includes(TENANT),
    authorization: { write: write.authorization, read: read.authorization },
  };
}

/** @param org ignored where all organisations share a tenant */
export function urlOfTenant(url: string, org: number): string {
  return url.replaceAll(TENANT, String(org));
}

function isClusterPath(url: string, side: 'insert' | 'select'): boolean {
  return url.includes(`/${side}/`);
}

function tenantOf(url: string, side: 'insert' | 'select'): string {
  return url.split(`/${side}/`, 2)[1]!.split('/', 1)[0]!;
}

/** fetch rejects credentials in an address, and a log must not contain them. */
function withoutCredentials(text: string): { url: string; authorization: string | null } {
  const url = new URL(text.replaceAll(TENANT, 'org-of-series'));
  const { username, password } = url;
  url.username = '';
  url.password = '';
  let plain = url.href.replaceAll('org-of-series', TENANT);
  while (plain.endsWith('/')) plain = plain.slice(0, -1);
  if (username === '' && password === '') return { url: plain, authorization: null };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: plain, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
