import { ANOMALY_KINDS, ANOMALY_STATES, type AnomalyKind, type AnomalyState } from '#libs/contracts';
import { pageParam, severityParam, textsParam, withoutGaps, choiceParam } from '../../lib/search-params';

export interface AnomaliesSearch {
  state?: AnomalyState;
  kind?: AnomalyKind;
  severity?: 'critical' | 'major' | 'minor';
  acknowledged?: 'yes' | 'no';
  order?: 'oldest' | 'score' | 'severity';
  chips?: string[];
  metric?: string;
  page?: number;
}

/** Valid filters from an address or a selection; unknown words are dropped. */
export function validateAnomaliesSearch(search: Record<string, unknown>): AnomaliesSearch {
  const { metric } = search;
  return withoutGaps({
    state: choiceParam(ANOMALY_STATES, search.state),
    kind: choiceParam(ANOMALY_KINDS, search.kind),
    severity: severityParam(search.severity),
    acknowledged: choiceParam(['yes', 'no'], search.acknowledged),
    order: choiceParam(['oldest', 'score', 'severity'], search.order),
    chips: textsParam(search.chips),
    // The router parses names that consist of digits as numbers.
    metric: typeof metric === 'string' || typeof metric === 'number' ? String(metric) : undefined,
    page: pageParam(search.page),
  });
}
