import { type AnswerHead } from '../../common/http/answer.js';
import { setGraphPolicy } from './content-policy.js';

function headersWith(frameAncestors: readonly string[]): Map<string, string> {
  const headers = new Map([['X-Frame-Options', 'DENY']]);
  const head = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  setGraphPolicy(head as unknown as AnswerHead, frameAncestors);
  return headers;
}

it('both headers allow the same frame ancestors', () => {
  const own = headersWith([]);
  expect(own.get('Content-Security-Policy')).toMatch(/; frame-ancestors 'self'$/);
  expect(own.get('X-Frame-Options')).toBe('SAMEORIGIN');

  const others = headersWith(['https://wiki.example.org']);
  expect(others.get('Content-Security-Policy')).toMatch(/; frame-ancestors 'self' https:\/\/wiki\.example\.org$/);
  expect(others.has('X-Frame-Options')).toBe(false);
});
