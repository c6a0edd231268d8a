import { existsSync } from 'node:fs';
import { join } from 'node:path';
import all from './jest.config.mjs';

/**
 * The long tests: each takes many processor-seconds for what it proves, and seldom fails for a change elsewhere. They are
 * left out of `npm test`; `npm run test:long` runs them, and `.ci/run` runs both. Every other test file is in `npm test`.
 */
export const LONG_TESTS = [
  // Programs that are started, and databases that are made or restarted.
  'libs/embedded-postgres/src/embedded-postgres.db-spec.ts',
  'libs/embedded-postgres/src/backup.db-spec.ts',
  'test/e2e/backup.e2e-spec.ts',
  'test/e2e/cli-detect.e2e-spec.ts',
  'test/e2e/first-start.e2e-spec.ts',
  'test/e2e/image.e2e-spec.ts',
  'test/e2e/key-rotation.e2e-spec.ts',
  'test/e2e/learning.e2e-spec.ts',
  'test/e2e/notify-process.e2e-spec.ts',
  'test/e2e/operator-mistakes.e2e-spec.ts',
  'test/e2e/roles-stop.e2e-spec.ts',
  'test/e2e/support-bundle.e2e-spec.ts',
  'test/e2e/tracing.e2e-spec.ts',
  'apps/cli/src/doctor/doctor.db-spec.ts',
  'apps/cli/src/loaded-modules.db-spec.ts',
  'apps/cli/src/commands/key.db-spec.ts',
  'apps/cli/src/commands/migrate.db-spec.ts',
  'test/architecture/release.spec.ts',
  // Applications that are built for each test.
  'apps/server/src/views/config-document/config-everything.db-spec.ts',
  'apps/server/src/alerting/threshold/threshold.db-spec.ts',
  'apps/server/src/analysis/detection/pipeline.db-spec.ts',
  'apps/server/src/teaching/exclusion-management/exclusion-management.db-spec.ts',
  'apps/server/src/people/billing/billing.db-spec.ts',
  'apps/server/src/people/session/enumeration.db-spec.ts',
  'apps/server/src/people/session/login-codes.db-spec.ts',
  'apps/server/src/people/session/password-reset.db-spec.ts',
  'apps/server/src/people/setup/first-start.db-spec.ts',
  'apps/server/src/people/signup/signup.db-spec.ts',
  'apps/server/src/people/sso/sso.db-spec.ts',
  'apps/server/src/views/demo/demo-story.db-spec.ts',
  'apps/server/src/views/demo/demo-visits.db-spec.ts',
  'apps/server/src/views/demo/demo.service.db-spec.ts',
  'apps/server/src/views/image/graph.db-spec.ts',
  'apps/server/src/views/stream/stream-crowd.db-spec.ts',
  // Each test waits for something on the database.
  'apps/server/src/common/database/awaited-lock.db-spec.ts',
  // Contracts, figures and random inputs in great numbers.
  'apps/cli/src/bench/bench-ablation.spec.ts',
  'apps/server/src/common/http/rate-limit-counts.db-spec.ts',
  'apps/server/src/data/ingest/graphite-server.spec.ts',
  'apps/server/src/data/metric/metric-registry.db-spec.ts',
  'apps/server/src/platform/storage/retention.db-spec.ts',
  'libs/alerting/src/budget-severity.spec.ts',
  'libs/charts/src/charts.spec.ts',
  'libs/detection/src/jobs-of-the-day.spec.ts',
  'libs/detection/src/properties.spec.ts',
  'libs/baselines/src/methods/baselines.spec.ts',
  'libs/evaluation/src/behaviour/behaviour.spec.ts',
  'libs/patterns/src/trained-jobs.spec.ts',
  'libs/point-log/src/postgres/postgres-point-log.db-spec.ts',
  'libs/protocols/src/csv/parse-csv.spec.ts',
  'libs/protocols/src/influx/parse-influx.spec.ts',
  'libs/series/src/postgres/postgres-series-store.db-spec.ts',
  'test/architecture/channel-from-description.spec.ts',
  'test/architecture/dependency-rules.spec.ts',
  'test/walls/fuzz.db-spec.ts',
  'test/walls/unstorable-text.db-spec.ts',
];

// A file that has been moved would silently be a test of `npm test` again.
for (const file of LONG_TESTS) {
  if (!existsSync(join(all.rootDir, file))) throw new Error(`jest.long.config.mjs names ${file}, which is not there`);
}

// Some take twenty seconds by themselves: they must hold on a machine that is three times slower, too. Those that start
// programs wait for them, so two cores are not busy with two of them.
export default {
  ...all,
  maxWorkers: 3,
  testTimeout: 120_000,
  testMatch: LONG_TESTS.map((file) => `<rootDir>/${file}`),
};
