import { type AnswerHead } from '../../common/http/answer.js';

/** The page needs no external resources, and only the console and chosen sites may frame it. */
export function contentPolicy(frameAncestors: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    ['frame-ancestors', "'self'", ...frameAncestors].join(' '),
  ].join('; ');
}

/** Sets the policy of a graph on its answer; both headers about frames agree. */
export function setGraphPolicy(head: AnswerHead, frameAncestors: readonly string[]): void {
  head.setHeader('Content-Security-Policy', contentPolicy(frameAncestors));
  // The older header cannot name other sites: if there are any, it must be absent.
  if (frameAncestors.length > 0) head.removeHeader('X-Frame-Options');
  else head.setHeader('X-Frame-Options', 'SAMEORIGIN');
}
