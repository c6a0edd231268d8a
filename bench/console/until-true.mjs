import { until } from '../ingest/until.mjs';

/**
 * Waits until an expression is true in the page. The content policy of the console forbids the built-in wait of
 * Playwright.
 */
export const untilTrue = (page, expression) =>
  until(expression, async () => ((await page.evaluate(`Boolean(${expression})`)) ? true : undefined), { everyMs: 40 });
