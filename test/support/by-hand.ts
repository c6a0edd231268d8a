import { type RecurringWork } from '../../apps/server/src/common/recurring-work.js';

/**
 * Recurring work that comes round by itself no more, nor is woken: what a test makes it do is all that it does. Waits for
 * the round under way.
 */
export async function byHand<Work extends RecurringWork>(work: Work): Promise<Work> {
  clearTimeout(work['timer']);
  await work['running'];
  // A round asks for the next one when it ends.
  clearTimeout(work['timer']);
  work['timer'] = undefined;
  return work;
}
