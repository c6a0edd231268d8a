/** Measures the time until a page can be used, by the clock of the page, and the bytes that it loads. */
import { untilTrue } from './until-true.mjs';

/** Records when there is a heading, and when nothing on the page is loading any more. */
const WATCH = `(() => {
  const seen = (window.__seen = { heading: null, whole: null, busy: 0 });
  const look = () => {
    if (seen.heading === null && document.querySelector('h1')) seen.heading = performance.now();
    if (seen.heading === null) return;
    if (document.querySelector('[aria-busy="true"]')) seen.whole = null;
    else seen.whole ??= performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-busy'] });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.busy += duration;
  }).observe({ type: 'longtask', buffered: true });
})();`;

/** If nothing has changed for this time, the page is complete. */
const STILL_MS = 700;

/**
 * Visits a page in a new browser context.
 * @returns milliseconds from the navigation to the heading and to the end of loading, milliseconds of long tasks, and
 * kilobytes of script as sent
 */
export async function visit(context, url) {
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  const scripts = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response);
  });
  await page.goto(url, { waitUntil: 'commit' });
  await untilTrue(page, `window.__seen.whole !== null && performance.now() - window.__seen.whole > ${STILL_MS}`);
  const { heading, whole, busy } = await page.evaluate('window.__seen');
  const sizes = await Promise.all(scripts.map(async (file) => (await file.request().sizes()).responseBodySize));
  await page.close();
  return { heading, whole, busy, script: sizes.reduce((sum, size) => sum + size, 0) / 1000, files: sizes.length };
}
