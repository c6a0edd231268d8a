/**
 * Measures how fast the console is in a browser: how soon a page can be used, how much the first page loads, and how
 * long it takes to draw and to pan a chart of 10,080 points. Yardsticks of the same run are an almost empty page of a
 * bare HTTP server, and the same points on a bare canvas. Starts the built product with the demo shop, unless the
 * address of a running one is given.
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { describeMachine, machineLines } from '../machine.mjs';
import { bareFigures, chartFigures } from './chart.mjs';
import { scrollFigures, serverFigures } from './list.mjs';
import { visit } from './page-load.mjs';
import { logIn, sendMetrics, startTarget } from './target.mjs';

const USAGE = `Usage: npm run bench:console -- [options]
  --url URL          a running product, with --email and --password (default: start one with the demo shop)
  --rounds N         visits of each page (10)
  --charts N         charts that are drawn and moved (3)
  --metric NAME      whose chart (shop.orders)
  --many N           also make so many metrics and measure the list of them
  --chromium PATH    the browser (/usr/bin/chromium)
  --json FILE        write all figures`;

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    rounds: { type: 'string', default: '10' },
    charts: { type: 'string', default: '3' },
    metric: { type: 'string', default: 'shop.orders' },
    many: { type: 'string' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help || (options.url !== undefined && (options.email ?? options.password) === undefined)) {
  console.log(USAGE);
  process.exit(options.help ? 0 : 2);
}

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];
const times = (numbers, yardstick) => `${(median(numbers) / median(yardstick)).toFixed(1)}×`;

function row(name, numbers, { unit = 'ms', goal = '', yardstick, isRate = false, digits = 0 } = {}) {
  const worst = isRate ? Math.min(...numbers) : Math.max(...numbers);
  const cells = [
    name,
    `${median(numbers).toFixed(digits)} ${unit}`.trim(),
    `${worst.toFixed(digits)} ${unit}`.trim(),
    goal,
    yardstick === undefined ? '' : times(numbers, yardstick),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

async function bareServer() {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>bare</title><h1>Ready</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

const machine = describeMachine();
console.log(machineLines(machine).join('\n'));
const target = options.url === undefined ? await startTarget() : options;
const bare = await bareServer();
const browser = await chromium.launch({
  executablePath: options.chromium,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const results = { machine };
try {
  const session = await logIn(target);
  const open = async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ name: 'session_id', value: session, url: target.url }]);
    return context;
  };
  const alone = async (work) => {
    const context = await open();
    try {
      return await work(context);
    } finally {
      await context.close();
    }
  };

  const pages = { bare: [], first: [], again: [], metric: [] };
  const metricUrl = `${target.url}/metric/${encodeURIComponent(options.metric)}?w=7d`;
  // Warms up the server and the browser.
  await alone((context) => visit(context, target.url));
  for (let round = 0; round < Number(options.rounds); round++) {
    pages.bare.push(await alone((context) => visit(context, bare.url)));
    await alone(async (context) => {
      pages.first.push(await visit(context, target.url));
      pages.again.push(await visit(context, target.url));
    });
    pages.metric.push(await alone((context) => visit(context, metricUrl)));
  }
  results.pages = pages;
  const column = (kind, name) => pages[kind].map((figures) => figures[name]);
  console.log('\n| | median | worst | goal | times the yardstick |\n| --- | --- | --- | --- | --- |');
  row('an empty page: heading', column('bare', 'heading'));
  row('first page, no file in the cache: heading', column('first', 'heading'), {
    yardstick: column('bare', 'heading'),
  });
  row('first page, no file in the cache: nothing loading', column('first', 'whole'), {
    goal: '< 1,000 ms',
    yardstick: column('bare', 'whole'),
  });
  row('first page, files in the cache: nothing loading', column('again', 'whole'), {
    yardstick: column('bare', 'whole'),
  });
  row('first page: long tasks in all', column('first', 'busy'));
  row('first page: script as it is sent', column('first', 'script'), { unit: 'kB', goal: '< 250 kB' });
  row('first page: files of script', column('first', 'files'), { unit: '' });
  row('a metric over a week: nothing loading', column('metric', 'whole'), { yardstick: column('bare', 'whole') });
  row('a metric: script as it is sent', column('metric', 'script'), { unit: 'kB' });

  const charts = { plumbline: [], bare: [] };
  for (let round = 0; round < Number(options.charts); round++) {
    charts.bare.push(await alone(bareFigures));
    charts.plumbline.push(await alone((context) => chartFigures(context, target.url, options.metric)));
  }
  results.charts = charts;
  const drawn = (kind, name) => charts[kind].map((figures) => figures[name]);
  const moved = (kind, name) => charts[kind].flatMap((figures) => figures.moved.map((figure) => figure[name]));
  row('bare canvas, 10,080 points: a drawing', drawn('bare', 'again'), { digits: 1 });
  row('bare canvas: frames a second while moved', moved('bare', 'perSecond'), { unit: '', isRate: true });
  row('chart of 10,080 points: first drawing', drawn('plumbline', 'first'), {
    goal: '< 500 ms',
    yardstick: drawn('bare', 'first'),
  });
  row('chart: drawn again in the other theme', drawn('plumbline', 'again'), { yardstick: drawn('bare', 'again') });
  row('chart: frames a second while moved', moved('plumbline', 'perSecond'), {
    unit: '',
    goal: '≥ 30',
    isRate: true,
    yardstick: moved('bare', 'perSecond'),
  });
  row('chart: longest time between frames', moved('plumbline', 'longest'), { yardstick: moved('bare', 'longest') });
  row('chart: drawings for a drag over four fifths of its width', moved('plumbline', 'drawings'), { unit: '' });

  if (options.many !== undefined) {
    const count = Number(options.many);
    const seconds = await sendMetrics(target, session, count);
    const answer = await fetch(`${target.url}/api/metrics?limit=1`, { headers: { 'X-Session-Id': session } });
    const { total } = (await answer.json()).data;
    console.log(`\n${total} metrics, made in ${seconds.toFixed(0)} s\n`);
    const { keystrokes, counts, pages: parts } = await serverFigures(target.url, session, total);
    const scroll = await alone((context) => scrollFigures(context, target.url, total));
    results.list = { total, seconds, keystrokes, counts, parts, scroll };
    console.log('| | median | worst | goal | |\n| --- | --- | --- | --- | --- |');
    row('all metrics counted, and one of them', counts);
    row('a keystroke: completion with counts', keystrokes, { goal: '< 100 ms', yardstick: counts });
    for (const [name, numbers] of Object.entries(parts)) row(`200 rows: ${name}`, numbers);
    row('last row seen after the bar was dragged to the end', [scroll.lastRow]);
    row('heap of the tab: at the beginning', [scroll.before], { unit: 'MB' });
    row('heap of the tab: after 4,000 rows by the wheel', [scroll.afterWheel], { unit: 'MB' });
    row('heap of the tab: at the end', [scroll.afterEnd], { unit: 'MB' });
    console.log(
      `\nAsked for on the way: ${scroll.lists} parts of the list, ${scroll.lines} groups of lines (${scroll.linesGivenUp} given up).`,
    );
  }
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  await browser.close();
  bare.close();
  await target.dispose?.();
}
