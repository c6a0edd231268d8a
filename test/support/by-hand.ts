import { ModulesContainer } from '@nestjs/core';
import { HousekeepingService } from '../../apps/server/src/common/housekeeping/housekeeping.service.js';
import { RecurringWork } from '../../apps/server/src/common/recurring-work.js';

/** Stops the timer and wake-ups of recurring work, so that only the test runs it. Waits for the current round. */
export async function byHand<Work extends RecurringWork>(work: Work): Promise<Work> {
  clearTimeout(work['timer']);
  await work['running'];
  // The round has scheduled the next one when it ended.
  clearTimeout(work['timer']);
  work['timer'] = undefined;
  return work;
}

/** Does the same for all recurring work of an application: only the test changes anything. */
export async function allByHand(app: { get(type: typeof ModulesContainer): ModulesContainer }): Promise<void> {
  const providers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.providers.values()]);
  const works = new Set<unknown>(providers.map(({ instance }) => instance));
  for (const work of works) {
    if (work instanceof RecurringWork) await byHand(work);
    if (work instanceof HousekeepingService) for (const task of work['tasks']) await byHand(task);
  }
}
