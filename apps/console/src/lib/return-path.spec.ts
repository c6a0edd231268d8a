import { returnPath } from './return-path';

describe('the path to return to', () => {
  it('is kept with its search and its anchor', () => {
    expect(returnPath('/anomaly/7?w=6h#chart')).toBe('/anomaly/7?w=6h#chart');
  });

  it.each([
    'https://example.org/',
    '//example.org/',
    '/\\example.org',
    '/\t/example.org',
    'javascript:alert(1)',
    'now',
  ])('is the first page for %j, which is no path of this console', (text) => {
    expect(returnPath(text)).toBe('/');
  });

  it('does not lead to another host by way of dots', () => {
    expect(returnPath('/..//example.org')).toBe('/');
  });

  it('is not the login page itself', () => {
    expect(returnPath('/login?return_to=/login')).toBe('/');
  });

  it('is the given fallback when there is none', () => {
    expect(returnPath(undefined, '/start')).toBe('/start');
  });
});
