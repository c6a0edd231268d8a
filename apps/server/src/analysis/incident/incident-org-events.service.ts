import { Injectable } from '@nestjs/common';
import { severityLabel } from '#libs/contracts';
import { type Tx } from '../../common/database/transactions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type StoredFacts } from './incident-grouping.repository.js';

interface Change {
  type: 'opened' | 'updated' | 'closed';
  incident: StoredFacts;
}

/** Records the start and end of incidents as events of the organisation (GET /org/events), as for anomalies. */
@Injectable()
export class IncidentOrgEventsService {
  constructor(private readonly events: EventRecorderService) {}

  /** Call it once the changes are committed. */
  record(orgId: number, changes: readonly Change[], tx: Tx): void {
    for (const { type, incident } of changes) {
      if (incident.backfill || type === 'updated') continue;
      const { id, title, severity, metricsCount, anomaliesCount, startTimestamp, endTimestamp } = incident;
      const details = {
        severity,
        metrics_count: metricsCount,
        anomalies_count: anomaliesCount,
        timestamp: startTimestamp,
      };
      const common = { orgId, ref: { kind: 'incident', id: String(id) } };
      if (type === 'opened') {
        const message = `${title}; severity ${String(severity)} (${severityLabel(severity)}).`;
        this.events.record({ ...common, type: 'incident_opened', level: 'alert', message, details }, tx);
      } else {
        const message = anomaliesCount === 0 ? `${title}: all of its anomalies were removed.` : `Over: ${title}.`;
        const ended = { ...details, until_timestamp: endTimestamp };
        this.events.record({ ...common, type: 'incident_closed', level: 'info', message, details: ended }, tx);
      }
    }
  }
}
