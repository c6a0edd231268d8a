import { MetricApp } from '../../../../../test/support/metric-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { bareShape, storePattern } from '../../../../../test/support/patterns.js';
import { PatternChecksService } from './pattern-checks.service.js';
import { PatternModule } from './pattern.module.js';

/** More patterns than one statement updates. */
const PATTERNS = 260;

it('PatternChecksService counts each check once for more patterns than one statement updates', async () => {
  const app = await MetricApp.create({ clock: new HandClock() }, [PatternModule]);
  try {
    const { id: orgId } = await app.anOrg();
    const metricId = await app.aMetric(orgId, 'backup.bytes');
    const first = await storePattern(app, { orgId, metricId, shape: bareShape(START) });
    await app.database.dataSource.query(
      `INSERT INTO pattern SELECT (jsonb_populate_record(p, jsonb_build_object('id', p.id + copy))).*
       FROM pattern p, generate_series(1, $2::integer) AS copy WHERE p.id = $1`,
      [first, PATTERNS - 1],
    );
    const ids = Array.from({ length: PATTERNS }, (_, i) => first + i);
    const checks = app.get(PatternChecksService);
    checks.note(orgId, ids);
    checks.note(orgId, ids.slice(-1));
    await checks.run();
    await checks.run();
    const rows = await app.database.dataSource.query<{ id: number; checks: number }[]>(
      'SELECT id, checks FROM pattern WHERE org_id = $1 ORDER BY id',
      [orgId],
    );
    expect(rows).toEqual(ids.map((id, i) => ({ id, checks: i === PATTERNS - 1 ? 2 : 1 })));
  } finally {
    await app.close();
  }
});
