import { NotFoundError } from '../../common/errors/app-error.js';
import { type MetricRef, metricRefText } from '../metric-ref/metric-ref.js';

export class MetricNotFoundError extends NotFoundError {
  /** `field`: the parameter that contained the metric, unless it was the path. */
  constructor(ref: MetricRef, field?: string) {
    const message = `There is no metric ${metricRefText(ref)}.`;
    super(message, field === undefined ? [] : [{ field, code: 'not_one_of', message }]);
  }
}
