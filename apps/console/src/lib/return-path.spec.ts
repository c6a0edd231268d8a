import { returnPath } from './return-path';

describe('the path to return to', () => {
  it('keeps its query and fragment', () => {
    expect(returnPath('/anomaly/7?w=6h#chart')).toBe('/anomaly/7?w=6h#chart');
  });

  it.each([
    'https://example.org/',
    '//example.org/',
    '/\\example.org',
    '/\t/example.org',
    'javascript:alert(1)',
    'now',
  ])('is / for %j, which is not a path of the console', (text) => {
    expect(returnPath(text)).toBe('/');
  });

  it('cannot lead to another host through dot segments', () => {
    expect(returnPath('/..//example.org')).toBe('/');
  });

  it('is never the login page', () => {
    expect(returnPath('/login?return_to=/login')).toBe('/');
  });

  it('is the given fallback when there is none', () => {
    expect(returnPath(undefined, '/start')).toBe('/start');
  });
});
