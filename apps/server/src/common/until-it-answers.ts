import { type Logger } from '@nestjs/common';
import { messageOf } from './errors/message-of.js';

const ATTEMPTS = 30;
const RETRY_MS = 1000;

/**
 * Waits half a minute for servers that start at the same time.
 * @param isAway whether an error goes away once the server has started
 * @param setting with its address
 */
export async function untilItAnswers<T>(
  work: () => Promise<T>,
  isUnavailable: (error: unknown) => boolean,
  setting: string,
  logger: Pick<Logger, 'warn'>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const message = messageOf(error);
      if (attempt >= ATTEMPTS) throw new Error(`${message}. Start the server, or correct ${setting}`, { cause: error });
      if (attempt === 1) logger.warn(`${message}; trying again for half a minute`);
      await new Promise((next) => setTimeout(next, RETRY_MS));
    }
  }
}
