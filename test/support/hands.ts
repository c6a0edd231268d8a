import { type Locator, type Page } from 'playwright-core';

/**
 * Simulates a person at a page and counts steps: each click, each key, and each text typed into a field, whatever its
 * length.
 */
export class Hands {
  /** Clicks, keys and typed texts so far. */
  steps = 0;

  constructor(readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    this.steps += 1;
    await what.click();
  }

  /** A key, or several keys in a row: `g i` counts two steps. */
  async press(keys: string): Promise<void> {
    for (const key of keys.split(' ')) {
      this.steps += 1;
      await this.page.keyboard.press(key);
    }
  }

  async type(field: Locator, text: string): Promise<void> {
    this.steps += 1;
    await field.pressSequentially(text);
  }
}
