import { isErrorLike } from './recurrences.service.js';

describe('a metric of bad news', () => {
  it.each([
    'http_request_errors_total',
    'requestErrors',
    'jobs.failed',
    'nginx.5xx',
    'disk.read_timeouts',
    'node_oom_kill',
    'net.packets_dropped',
  ])('%s', (name) => {
    expect(isErrorLike({ name, labels: {} })).toBe(true);
  });

  it('is recognised by its labels, too', () => {
    expect(isErrorLike({ name: 'http_requests_total', labels: { code: '503' } })).toBe(true);
    expect(isErrorLike({ name: 'http_requests_total', labels: { code: '200' } })).toBe(false);
  });

  it.each([
    'backup.bytes',
    'web-1.cpu',
    'terror.level',
    'default.latency',
    'lossless.frames',
    'port.5000.bytes',
    'vlan1500.bytes',
  ])('is not %s', (name) => {
    expect(isErrorLike({ name, labels: {} })).toBe(false);
  });
});
