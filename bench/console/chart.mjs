/**
 * Measures the chart of a metric in a browser, with 10,080 points in its window: the time of a drawing, and the frames
 * per second while it is panned. The points are generated here, so the server has no influence on the figures.
 */
import { untilTrue } from './until-true.mjs';

const POINTS = 10_080;
const MINUTE = 60;
const WEEK = POINTS * MINUTE;
/** A drag covers this share of the width, in this number of steps. */
const SHARE = 0.8;
const STEPS = 160;
/** If no line was drawn for this time, the drawing is complete. */
const STILL_MS = 300;

/** Records when lines and areas are drawn, and how often a canvas is cleared for another drawing. */
const WATCH = `(() => {
  const drawn = (window.__drawn = { last: 0, clears: 0 });
  const context = CanvasRenderingContext2D.prototype;
  for (const name of ['stroke', 'fill']) {
    const original = context[name];
    context[name] = function (...given) {
      const answer = original.apply(this, given);
      drawn.last = performance.now();
      return answer;
    };
  }
  const clear = context.clearRect;
  context.clearRect = function (...given) {
    drawn.clears += 1;
    return clear.apply(this, given);
  };
})();`;

const valueAt = (time) =>
  200 +
  80 * Math.sin((2 * Math.PI * time) / 86_400) +
  (((Math.imul(time / MINUTE, 2654435761) >>> 16) % 400) - 200) / 20;

function timesOf(url) {
  const from = Number(url.searchParams.get('from'));
  const until = Math.min(Number(url.searchParams.get('until')), Math.floor(Date.now() / 1000));
  const first = Math.ceil(from / MINUTE) * MINUTE;
  return Array.from({ length: Math.max(0, Math.floor((until - first) / MINUTE) + 1) }, (_, i) => first + i * MINUTE);
}

/** Replaces only the points in the answers of the server: one a minute over the requested window. */
async function answerWithPoints(page) {
  const replace = async (route, change) => {
    const answer = await route.fetch();
    const body = await answer.json();
    change(body.data, timesOf(new URL(route.request().url())));
    await route.fulfill({ response: answer, json: body });
  };
  await page.route('**/api/metric/*/timeseries?*', (route) => {
    // The overview of the month keeps its own points.
    if (timesOf(new URL(route.request().url())).length > 3 * POINTS) return route.continue();
    return replace(route, (data, times) => {
      data.derivative = null;
      data.points = times.map((time) => [time, valueAt(time)]);
    });
  });
  await page.route('**/api/metric/*/yhat?*', (route) =>
    replace(route, (data, times) => {
      data.available = true;
      data.yhat = times.map((time) => {
        const middle = 200 + 80 * Math.sin((2 * Math.PI * time) / 86_400);
        return {
          timestamp: time,
          yhat: middle,
          yhat_lower: middle - 25,
          yhat_upper: middle + 25,
          yhat_real_lower: null,
        };
      });
    }),
  );
}

const settle = (page) =>
  untilTrue(
    page,
    `window.__drawn.last > 0 && performance.now() - window.__drawn.last > ${STILL_MS} && !document.querySelector('[aria-busy="true"]')`,
  );

/**
 * Frames per second while the pointer is dragged over `box` with shift held, and the number of drawings of the chart.
 */
async function drag(page, box, direction) {
  const y = box.y + box.height / 2;
  const start = box.x + box.width * (direction < 0 ? 0.5 + SHARE / 2 : 0.5 - SHARE / 2);
  await page.evaluate(`(() => {
    window.__frames = [];
    (function next(at) { window.__frames.push(at); window.__next = requestAnimationFrame(next); })(performance.now());
  })()`);
  await page.keyboard.down('Shift');
  await page.mouse.move(start, y);
  await page.mouse.down();
  const before = await page.evaluate('({ at: performance.now(), clears: window.__drawn?.clears ?? 0 })');
  for (let step = 1; step <= STEPS; step++) {
    await page.mouse.move(start + (direction * SHARE * box.width * step) / STEPS, y);
  }
  const after = await page.evaluate('({ at: performance.now(), clears: window.__drawn?.clears ?? 0 })');
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const frames = await page.evaluate(
    `(cancelAnimationFrame(window.__next), window.__frames.filter((at) => at >= ${before.at} && at <= ${after.at}))`,
  );
  const gaps = frames.slice(1).map((at, i) => at - frames[i]);
  return {
    perSecond: (frames.length / (after.at - before.at)) * 1000,
    longest: Math.max(0, ...gaps),
    drawings: after.clears - before.clears,
  };
}

/** @returns milliseconds of the first drawing and of a repeated one, and the figures of a drag in both directions */
export async function chartFigures(context, url, metric) {
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  await answerWithPoints(page);
  const until = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE - 86_400;
  await page.goto(`${url}/metric/${encodeURIComponent(metric)}?from=${until - WEEK}&until=${until}`);
  const needed = `performance.getEntriesByType('resource').filter(({ name }) => /\\/(timeseries|yhat)\\?|drawn-chart/.test(name)).map(({ responseEnd }) => responseEnd)`;
  await untilTrue(page, `${needed}.length >= 4 && window.__drawn.last > Math.max(...${needed})`);
  await settle(page);
  // Starts when the data and the code of the chart have arrived.
  const first = await page.evaluate(`window.__drawn.last - Math.max(...${needed})`);
  const began = await page.evaluate('performance.now()');
  await page.keyboard.press('t');
  await untilTrue(page, `window.__drawn.last > ${began}`);
  await settle(page);
  const again = (await page.evaluate('window.__drawn.last')) - began;
  const box = await page.locator('canvas').first().boundingBox();
  const there = await drag(page, box, 1);
  await settle(page);
  const back = await drag(page, box, -1);
  await settle(page);
  await page.close();
  return { first, again, moved: [there, back] };
}

/** The same points on a bare canvas: a line and a band, drawn again for each frame of the same drag. */
const BARE = `<!doctype html><title>bare</title><body style="margin:0"><canvas width="1200" height="380"></canvas><script>
  const canvas = document.querySelector('canvas');
  const context = canvas.getContext('2d');
  const points = Array.from({ length: ${POINTS} }, (_, i) => 200 + 80 * Math.sin(i / 229) + ((Math.imul(i, 2654435761) >>> 16) % 400 - 200) / 20);
  const x = (i) => (i / points.length) * canvas.width;
  const y = (value) => canvas.height - ((value - 80) / 240) * canvas.height;
  let shift = 0;
  let asked = 0;
  window.__draw = () => {
    asked = 0;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#d9e5f8';
    context.beginPath();
    points.forEach((_, i) => context.lineTo(x(i) + shift, y(225 + 80 * Math.sin(i / 229))));
    for (let i = points.length - 1; i >= 0; i--) context.lineTo(x(i) + shift, y(175 + 80 * Math.sin(i / 229)));
    context.fill();
    context.strokeStyle = '#2563c9';
    context.beginPath();
    points.forEach((value, i) => context.lineTo(x(i) + shift, y(value)));
    context.stroke();
    context.getImageData(0, 0, 1, 1);
  };
  let start = null;
  addEventListener('pointerdown', (event) => (start = event.clientX));
  addEventListener('pointerup', () => (start = null));
  addEventListener('pointermove', (event) => {
    if (start === null) return;
    shift = event.clientX - start;
    asked ||= requestAnimationFrame(window.__draw);
  });
</script>`;

export async function bareFigures(context) {
  const page = await context.newPage();
  await page.setContent(BARE);
  const first = await page.evaluate(
    '(() => { const began = performance.now(); window.__draw(); return performance.now() - began; })()',
  );
  const again = await page.evaluate(
    '(() => { const began = performance.now(); window.__draw(); return performance.now() - began; })()',
  );
  const box = { x: 0, y: 0, width: 1200, height: 380 };
  const moved = [await drag(page, box, 1), await drag(page, box, -1)];
  await page.close();
  return { first, again, moved };
}
