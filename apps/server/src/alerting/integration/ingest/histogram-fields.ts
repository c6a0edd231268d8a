import { DEFAULT_HISTOGRAM_SETTINGS } from '#libs/protocols';
import { choice, fractions } from '../service-fields.js';

const MAX_QUANTILES = 10;

/** How histograms are converted. */
export const HISTOGRAM_FIELDS = {
  histograms: choice(
    {
      label: 'Histograms',
      help: 'quantiles: one metric for each quantile; buckets: one for each bucket; none: count and sum only.',
    },
    ['quantiles', 'buckets', 'none'],
    DEFAULT_HISTOGRAM_SETTINGS.mode,
  ),
  quantiles: fractions(
    { label: 'Quantiles', help: 'Between 0 and 1, such as 0.5,0.9,0.99.' },
    MAX_QUANTILES,
    DEFAULT_HISTOGRAM_SETTINGS.quantiles,
  ),
} as const;
