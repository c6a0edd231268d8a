import { type Shape } from '#libs/patterns';
import { Transactions } from '../../apps/server/src/common/database/transactions.js';
import { PatternRepository } from '../../apps/server/src/analysis/pattern/pattern.repository.js';
import { type NewPattern } from '../../apps/server/src/analysis/pattern/pattern.types.js';
import { type AreaApp } from './area-app.js';

/** What a pattern needs; all else is that of one that somebody has trained. */
type PatternOf = Pick<NewPattern, 'orgId' | 'metricId' | 'shape'> & Partial<NewPattern>;

/** Puts a pattern into the table, without its training; answers its id. */
export function storePattern(app: AreaApp, pattern: PatternOf): Promise<number> {
  const whole: NewPattern = {
    ...{ anomalyId: null, trainingId: null, parentId: null, rootId: null, generation: 0, creatorUserId: null },
    ...{ origin: 'trained', label: '', positive: false, shadow: false, learn: true, anomalyValue: null },
    ...{ starts: [pattern.shape.partStart], createdAt: new Date(app.clock.seconds * 1000) },
    ...pattern,
  };
  return app.get(Transactions).run((tx) => app.get(PatternRepository).insert(whole, tx));
}

/** The shape of a day whose part begins at `start`, of these values a minute apart; nothing is known of what was before. */
export function bareShape(start: number, values: readonly number[] = [0]): Shape {
  const fine = { start, step: 60, values: Float32Array.from(values) };
  return { duration: 86_400, partStart: start, partEnd: start, fine, context: { ...fine, step: 600 } };
}
