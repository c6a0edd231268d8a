import { databaseAddressOf, readAddress } from './source-address.js';

describe('readAddress', () => {
  it('extracts a login from the URL', () => {
    expect(readAddress('promql', 'http://me:p%40ss%3A@store:9090/base?a=b#x')).toEqual({
      url: 'http://store:9090/base?a=b',
      login: { username: 'me', password: 'p@ss:' },
    });
    expect(readAddress('sql', 'postgres://me:p%@db/shop?sslmode=require')).toEqual({
      url: 'postgres://db/shop?sslmode=require',
      login: { username: 'me', password: 'p%' },
    });
    expect(readAddress('graphite', 'https://g')).toEqual({ url: 'https://g/', login: null });
  });

  it.each([
    ['promql', 'store:9090'],
    ['promql', 'ftp://store'],
    ['promql', 'postgres://db/shop'],
    ['influxql', 'http://influx:8086/?db=a&p=secret'],
    ['graphite', 'http://g/?api_key=x'],
    ['sql', 'http://db/shop'],
    ['sql', 'postgres://db'],
    ['sql', 'postgres:///shop'],
    ['sql', 'mysql://db/shop?ssl=true'],
    ['sql', 'mysql://db/shop?sslmode=prefer'],
  ] as const)('rejects for %s: %s', (type, text) => {
    expect(readAddress(type, text)).toHaveProperty('problem');
  });
});

it('databaseAddressOf accepts both engines, their ports, and IPv6 addresses', () => {
  expect(databaseAddressOf('postgresql://[fd12::1]/my%20shop')).toEqual({
    engine: 'postgres',
    host: 'fd12::1',
    port: 5432,
    database: 'my shop',
    sslMode: 'disable',
  });
  expect(databaseAddressOf('mariadb://db:3307/shop?sslmode=verify-full')).toMatchObject({
    engine: 'mysql',
    port: 3307,
    sslMode: 'verify-full',
  });
});
