/** If the answer is used later than this, the request is sent again. */
const GOOD_FOR_MS = 15_000;

interface PrefetchedAnswer {
  at: number;
  answer: Promise<Response>;
}

declare global {
  interface Window {
    /**
     * Requests that were sent before any page could use them, by address. They are on `window` because a separate
     * script sends them before the others run.
     */
    plumblinePrefetched?: Map<string, PrefetchedAnswer>;
  }
}

/** Requests a path of the API while the console is still loading; `takeAnswer` returns the answer. */
export function prefetchAnswer(address: string): void {
  const answer = fetch(address);
  // The page repeats a failed request, and shows its error.
  answer.catch(() => undefined);
  const { href } = new URL(address, location.href);
  (window.plumblinePrefetched ??= new Map()).set(href, { at: performance.now(), answer });
}

/** Returns the answer to a request that was sent ahead, only once. Undefined: the request must be sent. */
export function takePrefetched({ method, url }: Request): Promise<Response> | undefined {
  const prefetched = window.plumblinePrefetched;
  const found = method === 'GET' ? prefetched?.get(url) : undefined;
  prefetched?.delete(url);
  return found && performance.now() - found.at < GOOD_FOR_MS ? found.answer : undefined;
}
