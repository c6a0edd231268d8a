import { ModulesContainer } from '@nestjs/core';
import { HousekeepingService } from '../../apps/server/src/common/housekeeping/housekeeping.service.js';
import { RecurringWork } from '../../apps/server/src/common/recurring-work.js';

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

/** The same of all recurring work of an application: nothing changes but by what a test does. */
export async function allByHand(app: { get(type: typeof ModulesContainer): ModulesContainer }): Promise<void> {
  const providers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.providers.values()]);
  const works = new Set<unknown>(providers.map(({ instance }) => instance));
  for (const work of works) {
    if (work instanceof RecurringWork) await byHand(work);
    if (work instanceof HousekeepingService) for (const task of work['tasks']) await byHand(task);
  }
}
