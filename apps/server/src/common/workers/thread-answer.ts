import { Logger } from '@nestjs/common';
import { OverloadedError } from '../http/http.errors.js';
import { WorkerGoneError } from './worker-channel.js';

const logger = new Logger('Threads');

/**
 * The error for a client whose data made a thread fail, and who may send it again.
 * @param what for people: `The body`
 * @throws OverloadedError the thread has died, for example because of the data; other errors of the thread are thrown
 *   unchanged
 */
export async function answerOf<Response>(call: Promise<Response>, what: string): Promise<Response> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof WorkerGoneError)) throw error;
    logger.error(error.message);
    throw new OverloadedError(`${what} could not be read at this moment; send it again.`);
  }
}
