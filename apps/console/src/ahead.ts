/**
 * A script by itself, which runs before the console is loaded: it asks for what the first page needs, data and files, so that
 * this comes beside the files of the console and not after them. Where it does not run, pages ask for themselves.
 */
import { nowAddresses } from './features/now/api/now.addresses';
import { askAhead } from './lib/ahead';
import { validateViewSearch, windowAt } from './lib/window-address';

/** Pages for those who are not signed in. */
const SIGN_IN = /^\/(?:login|verify|reset-password|confirm-email|signup|demo)(?:\/|$)/;
const { pathname, search } = location;
// The server says whether the browser presents a session, which scripts cannot see: who has none would be refused.
const { session, files = '' } = document.currentScript?.dataset ?? {};
const hasSession = session === 'true';

if (hasSession && !SIGN_IN.test(pathname)) {
  askAhead('/api/user/info');
  if (pathname === '/') {
    const view = validateViewSearch(Object.fromEntries(new URLSearchParams(search)));
    nowAddresses(windowAt(view, Math.floor(Date.now() / 1000))).forEach(askAhead);
    files.split(' ').filter(Boolean).forEach(preload);
  }
}

function preload(href: string): void {
  const isScript = href.endsWith('.js');
  const rel = isScript ? 'modulepreload' : 'preload';
  // As what loads them later says it: otherwise they are loaded twice.
  const link = Object.assign(document.createElement('link'), { rel, href, crossOrigin: 'anonymous' });
  if (!isScript) link.as = 'style';
  document.head.append(link);
}
