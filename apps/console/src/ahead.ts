/**
 * A script by itself, which runs before the console is loaded: it asks for what the first page needs, so that this comes
 * beside the files and not after them. Where it does not run, pages ask for themselves.
 */
import { nowAddresses } from './features/now/api/now.addresses';
import { askAhead } from './lib/ahead';
import { validateViewSearch, windowAt } from './lib/window-address';

/** Pages for those who are not signed in. */
const SIGN_IN = /^\/(?:login|verify|reset-password|confirm-email|signup|demo)(?:\/|$)/;
const { pathname, search } = location;
// The server says whether the browser presents a session, which scripts cannot see: who has none would be refused.
const hasSession = document.currentScript?.dataset.session === 'true';

if (hasSession && !SIGN_IN.test(pathname)) {
  askAhead('/api/user/info');
  if (pathname === '/') {
    const view = validateViewSearch(Object.fromEntries(new URLSearchParams(search)));
    nowAddresses(windowAt(view, Math.floor(Date.now() / 1000))).forEach(askAhead);
  }
}
