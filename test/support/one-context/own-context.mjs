import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * The test files that get a context and modules of their own, each with its reason. All others share those of the process
 * that runs them (runner.mjs), so a file belongs here if it replaces what JavaScript or Node offers to everybody, or needs
 * a module that no one has used before.
 */
export const OWN_CONTEXT = new Map([
  ['apps/console/src/lib/live/staleness.spec.ts', 'fake timers'],
  ['apps/console/src/lib/live/stream.spec.ts', 'fake timers, EventSource and navigator'],
  ['apps/server/src/alerting/alert-plan/planning-rounds.spec.ts', 'fake timers'],
  ['apps/server/src/common/fair-share/pacer.spec.ts', 'fake timers'],
  ['apps/server/src/common/http/request-gate.spec.ts', 'fake timers'],
  ['apps/server/src/common/housekeeping/housekeeping.service.spec.ts', 'fake timers'],
  ['apps/server/src/common/recurring-work.spec.ts', 'fake timers'],
]);

// A file that has been moved would silently share a context again.
for (const file of OWN_CONTEXT.keys()) {
  if (!existsSync(join(ROOT, file))) throw new Error(`own-context.mjs names ${file}, which is not there`);
}
