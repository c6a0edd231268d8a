import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * The test files with their own context and modules, each with its reason. All others share those of the process that
 * runs them (runner.mjs). So a file belongs here if it replaces globals of JavaScript or Node, or needs a module in its
 * initial state.
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

// A file that was moved would otherwise share a context again without notice.
for (const file of OWN_CONTEXT.keys()) {
  if (!existsSync(join(ROOT, file))) throw new Error(`own-context.mjs names ${file}, which is not there`);
}
