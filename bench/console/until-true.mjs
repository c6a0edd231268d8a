import { until } from '../ingest/until.mjs';

/** Waits until an expression holds in the page. The content policy of the console forbids Playwright's own way. */
export const untilTrue = (page, expression) =>
  until(expression, async () => ((await page.evaluate(`Boolean(${expression})`)) ? true : undefined), { everyMs: 40 });
