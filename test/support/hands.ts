import { type Locator, type Page } from 'playwright-core';

/**
 * The hands of a person at a page. They count what they do: each click and each key that is pressed is one step, and so is a
 * text that is typed into a field, however long it is.
 */
export class Hands {
  /** Clicks, keys and typed texts so far. */
  steps = 0;

  constructor(readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    this.steps += 1;
    await what.click();
  }

  /** A key, or keys in a row: `g i` are two steps. */
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
