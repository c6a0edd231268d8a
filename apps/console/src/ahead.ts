/**
 * A separate script that runs before the console is loaded: it requests the data and files of the first page, so that
 * they are loaded together with the files of the console, not after them. If it does not run, pages send the requests
 * themselves.
 */
import { nowAddresses } from './features/now/api/now.addresses';
import { prefetchAnswer } from './lib/ahead';
import { validateViewSearch, windowAt } from './lib/window-address';

/** Pages for users who are not signed in. */
const SIGN_IN = /^\/(?:login|verify|reset-password|confirm-email|signup|demo)(?:\/|$)/;
const { pathname, search } = location;
// The server states whether the browser presents a session, because scripts cannot see that: without a session,
// requests would be refused.
const { session, files = '' } = document.currentScript?.dataset ?? {};
const hasSession = session === 'true';

if (hasSession && !SIGN_IN.test(pathname)) {
  prefetchAnswer('/api/user/info');
  if (pathname === '/') {
    const view = validateViewSearch(Object.fromEntries(new URLSearchParams(search)));
    nowAddresses(windowAt(view, Math.floor(Date.now() / 1000))).forEach(prefetchAnswer);
    files.split(' ').filter(Boolean).forEach(preload);
  }
}

function preload(href: string): void {
  const isScript = href.endsWith('.js');
  const rel = isScript ? 'modulepreload' : 'preload';
  // Same attributes as in the later load: otherwise they are loaded twice.
  const link = Object.assign(document.createElement('link'), { rel, href, crossOrigin: 'anonymous' });
  if (!isScript) link.as = 'style';
  document.head.append(link);
}
