import { type DataSource } from 'typeorm';
import { type Shape } from '#libs/patterns';
import { Transactions } from '../../apps/server/src/common/database/transactions.js';
import { PatternRepository } from '../../apps/server/src/analysis/pattern/pattern.repository.js';
import { type NewPattern } from '../../apps/server/src/analysis/pattern/pattern.types.js';
import { type AreaApp } from './area-app.js';

/** The required members of a pattern; the others default to those of a trained one. */
type PatternOf = Pick<NewPattern, 'orgId' | 'metricId' | 'shape'> & Partial<NewPattern>;

/** Inserts a pattern without its training; returns its id. */
export function storePattern(app: AreaApp, pattern: PatternOf): Promise<number> {
  const whole: NewPattern = {
    ...{ anomalyId: null, trainingId: null, parentId: null, rootId: null, generation: 0, creatorUserId: null },
    ...{ origin: 'trained', label: '', positive: false, shadow: false, learn: true, anomalyValue: null },
    ...{ starts: [pattern.shape.partStart], createdAt: new Date(app.clock.seconds * 1000) },
    ...pattern,
  };
  return app.get(Transactions).run((tx) => app.get(PatternRepository).insert(whole, tx));
}

interface MatchOf {
  orgId: number;
  metricId: number;
  patternId: number;
  /** Unix seconds. */
  start: number;
  type?: 'shape' | 'motif';
  slots?: number;
  explanation?: string;
}

/** Inserts a match with a pattern, without a candidate; returns its id. */
export async function storeMatch(dataSource: DataSource, match: MatchOf): Promise<number> {
  const { orgId, metricId, patternId, start, type = 'shape', slots = 30, explanation = '' } = match;
  const [stored] = await dataSource.query<{ id: number }[]>(
    `INSERT INTO pattern_match (org_id, metric_id, pattern_id, start_timestamp, match_type, similarity, distance, shape_index,
       window_start, window_slots, area_percent, explanation, event)
     VALUES ($1, $2, $3, $4, $5, 0.97, 1, 0, $4, $6, 0, $7, '{"score": 0.8}') RETURNING id`,
    [orgId, metricId, patternId, start, type, slots, explanation],
  );
  return stored!.id;
}

/** The shape of a day whose part begins at `start`, with these values a minute apart and without values before. */
export function bareShape(start: number, values: readonly number[] = [0]): Shape {
  const fine = { start, step: 60, values: Float32Array.from(values) };
  return { duration: 86_400, partStart: start, partEnd: start, fine, context: { ...fine, step: 600 } };
}
