import { idParam, pageParam, severityParam, textsParam, withoutGaps, choiceParam } from '../../lib/search-params';

export interface IncidentsSearch {
  state?: 'open' | 'resolved';
  severity?: 'critical' | 'major' | 'minor';
  chips?: string[];
  order?: 'severity';
  page?: number;
}

export interface IncidentSearch {
  /** The anomaly of the message whose link opened the page. */
  anomaly_id?: number;
  /** `page`: the window of the page instead of the one around the incident. */
  span?: 'page';
  /** `all`: every metric, even if there are many. */
  members?: 'all';
}

/** Parameters of `/incidents`. */
export const validateIncidentsSearch = ({
  state,
  severity,
  chips,
  order,
  page,
}: Record<string, unknown>): IncidentsSearch =>
  withoutGaps({
    state: choiceParam(['open', 'resolved'], state),
    severity: severityParam(severity),
    chips: textsParam(chips),
    order: choiceParam(['severity'], order),
    page: pageParam(page),
  });

/** Parameters of `/incident/…`. */
export function validateIncidentSearch({ anomaly_id, span, members }: Record<string, unknown>): IncidentSearch {
  return withoutGaps({
    anomaly_id: idParam(anomaly_id),
    span: choiceParam(['page'], span),
    members: choiceParam(['all'], members),
  });
}
