import { isErrorLike } from './recurrences.service.js';

describe('isErrorLike', () => {
  it.each([
    'http_request_errors_total',
    'requestErrors',
    'jobs.failed',
    'nginx.5xx',
    'disk.read_timeouts',
    'node_oom_kill',
    'net.packets_dropped',
  ])('returns true for %s', (name) => {
    expect(isErrorLike({ name, labels: {} })).toBe(true);
  });

  it('considers the labels', () => {
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
  ])('returns false for %s', (name) => {
    expect(isErrorLike({ name, labels: {} })).toBe(false);
  });
});
