/** A caller that needs the answer later than this sends the request again. */
const GOOD_FOR_MS = 15_000;

interface Asked {
  at: number;
  answer: Promise<Response>;
}

declare global {
  interface Window {
    /**
     * Answers that were asked for before there was anything to show them, by address. Here, because the script that asks
     * runs before the others, by itself.
     */
    plumblineAsked?: Map<string, Asked>;
  }
}

/** Requests a path of the API while the console is still loading; `takeAnswer` has the answer. */
export function askAhead(address: string): void {
  const answer = fetch(address);
  // The page repeats a failed request, and shows its error.
  answer.catch(() => undefined);
  const { href } = new URL(address, location.href);
  (window.plumblineAsked ??= new Map()).set(href, { at: performance.now(), answer });
}

/** The answer to a request that was asked for ahead, once. Undefined: it has to be sent. */
export function takeAnswer({ method, url }: Request): Promise<Response> | undefined {
  const asked = window.plumblineAsked;
  const found = method === 'GET' ? asked?.get(url) : undefined;
  asked?.delete(url);
  return found && performance.now() - found.at < GOOD_FOR_MS ? found.answer : undefined;
}
