/**
 * Measures the list of very many metrics: a keystroke and a page of the list on the server, and scrolling to its end in
 * a browser.
 */

/** Typed character by character, like a person. */
const TYPED = ['bench_cpu', 'web-0123', 'region:eu', 'us-e', 'zzz'];

const timed = async (url, session) => {
  const began = performance.now();
  const answer = await fetch(url, { headers: { 'X-Session-Id': session } });
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return performance.now() - began;
};

/**
 * Milliseconds of each completion, of counting all metrics next to each, and of pages at the beginning, in the middle
 * and at the end.
 */
export async function serverFigures(url, session, total) {
  const [keystrokes, counts] = [[], []];
  for (const text of TYPED) {
    for (let length = 0; length <= text.length; length++) {
      const q = encodeURIComponent(text.slice(0, length));
      keystrokes.push(await timed(`${url}/api/watchers/chips?q=${q}&limit=20`, session));
      // One scan of all metrics, and one row: the yardsticks of a completion.
      counts.push(await timed(`${url}/api/metrics?limit=1`, session));
    }
  }
  const pages = {};
  const half = Math.min(100_000, Math.floor(total / 2));
  for (const [name, query] of [
    ['beginning', 'offset=0'],
    ['middle', `offset=${half}`],
    ['middle, from the end', `offset=${half}&reverse=true`],
    ['end', 'offset=0&reverse=true'],
  ]) {
    pages[name] = [];
    for (let round = 0; round < 5; round++) {
      pages[name].push(await timed(`${url}/api/metrics?limit=200&${query}`, session));
    }
  }
  return { keystrokes, counts, pages };
}

const heapOf = async (devtools) => {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
};

/** Scrolls from the beginning to the end: first with the wheel, then with the scroll bar. Memory in megabytes. */
export async function scrollFigures(context, url, total) {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const asked = { lists: 0, lines: 0, linesGivenUp: 0 };
  const kindOf = (request) =>
    /\/metrics\/sparklines/.test(request.url()) ? 'lines' : /\/api\/metrics\?/.test(request.url()) ? 'lists' : null;
  page.on('request', (request) => {
    const kind = kindOf(request);
    if (kind !== null) asked[kind] += 1;
  });
  page.on('requestfailed', (request) => {
    if (kindOf(request) === 'lines') asked.linesGivenUp += 1;
  });
  await page.goto(`${url}/metrics`);
  const rows = page.locator('[role="row"][aria-rowindex] a[href^="/metric/"]');
  await rows.first().waitFor();
  const before = await heapOf(devtools);
  const box = page.locator('[role="table"] > [role="rowgroup"]').nth(1);
  await box.hover();
  for (let turn = 0; turn < 200; turn++) await page.mouse.wheel(0, 720);
  await rows.first().waitFor();
  const afterWheel = await heapOf(devtools);
  // Drags the scroll bar, in a hundred steps.
  for (let place = 1; place <= 100; place++) {
    await box.evaluate((element, share) => (element.scrollTop = share * element.scrollHeight), place / 100);
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
  }
  const began = performance.now();
  await page
    .locator(`[aria-rowindex="${total + 1}"] a`)
    .first()
    .waitFor();
  const lastRow = performance.now() - began;
  const afterEnd = await heapOf(devtools);
  await page.close();
  return { before, afterWheel, afterEnd, lastRow, ...asked };
}
