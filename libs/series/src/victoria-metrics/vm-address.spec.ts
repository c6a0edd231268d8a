import { addressProblem, endpointsOf, urlOfTenant } from './vm-address.js';

const WRITE = 'http://vminsert:8480/insert/7/prometheus';
const READ = 'http://vmselect:8481/select/7/prometheus';

describe('endpointsOf', () => {
  it('returns the endpoints of a single server', () => {
    expect(endpointsOf({ writeUrl: 'http://vm:8428/' })).toEqual({
      importUrl: 'http://vm:8428/api/v1/import',
      exportUrl: 'http://vm:8428/api/v1/export',
      queryUrl: 'http://vm:8428/api/v1/query',
      deleteUrl: 'http://vm:8428/api/v1/admin/tsdb/delete_series',
      flushUrl: 'http://vm:8428/internal/force_flush',
      flagsUrl: 'http://vm:8428/flags',
      isByTenant: false,
      authorization: { write: null, read: null },
    });
  });

  it('returns the endpoints of a cluster, which deletes through vmselect', () => {
    expect(endpointsOf({ writeUrl: WRITE, readUrl: READ })).toMatchObject({
      importUrl: `${WRITE}/api/v1/import`,
      queryUrl: `${READ}/api/v1/query`,
      deleteUrl: 'http://vmselect:8481/delete/7/prometheus/api/v1/admin/tsdb/delete_series',
      flushUrl: null,
      flagsUrl: null,
    });
  });

  it('supports a separate tenant for each organisation', () => {
    const urls = [WRITE, READ].map((url) => url.replace('7', '{org}'));
    const endpoints = endpointsOf({ writeUrl: urls[0]!, readUrl: urls[1]! });
    expect(endpoints.isByTenant).toBe(true);
    expect(urlOfTenant(endpoints.importUrl, 42)).toBe('http://vminsert:8480/insert/42/prometheus/api/v1/import');
  });

  it('moves the password from the URLs to the authorization header', () => {
    const { importUrl, authorization } = endpointsOf({ writeUrl: 'https://ada:p%40ss@vm/' });
    expect(importUrl).toBe('https://vm/api/v1/import');
    expect(authorization.write).toBe(`Basic ${Buffer.from('ada:p@ss').toString('base64')}`);
  });

  it.each([
    ['influxdb://vm:8428', undefined, 'must be an http or https address'],
    ['http://vm:8428?tenant=1', undefined, 'without query'],
    [WRITE, undefined, 'give the one that reads'],
    [READ, undefined, 'give that of vminsert'],
    ['http://vm:8428', READ, 'must be that of vminsert'],
    [WRITE, 'http://vm:8428', 'needs an address to read'],
    [WRITE, READ.replace('7', '8'), 'another tenant'],
    ['http://vm:8428/{org}', undefined, 'for a cluster only'],
  ])('rejects %s with the read address %s', (writeUrl, readUrl, problem) => {
    const address = { writeUrl, ...(readUrl === undefined ? {} : { readUrl }) };
    expect(addressProblem(address)).toContain(problem);
    expect(() => endpointsOf(address)).toThrow(RangeError);
  });
});
