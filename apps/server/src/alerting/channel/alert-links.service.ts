import { Injectable } from '@nestjs/common';
import { type AlertContent } from '#libs/alerting';
import { Links } from '../../common/http/links.js';
import { DAY } from '../../common/time.js';
import { ALERT_PATHS } from './alert-paths.functions.js';

type AlertLinkSet = AlertContent['links'];

/** A time of a metric that a message is about. Unix seconds. */
export interface LinkedMetric {
  metric: string;
  anomalyId: number | null;
  start: number;
}

/** Time that a graph shows before and after its subject. */
const BEFORE_SECONDS = (3 * DAY) / 4;
const AFTER_SECONDS = DAY / 4;

/** Links in messages. Graphs and pictures open without a login, for 30 days. */
@Injectable()
export class AlertLinksService {
  constructor(private readonly links: Links) {}

  /** @param worst the metric whose graph is shown; null if none is known */
  ofIncident(orgId: number, incident: { id: number; metricsCount: number }, worst: LinkedMetric | null): AlertLinkSet {
    const isSingle = incident.metricsCount === 1 && worst !== null && worst.anomalyId !== null;
    const console = isSingle
      ? this.links.console(ALERT_PATHS.anomaly(worst.anomalyId!))
      : this.links.console(ALERT_PATHS.incident(incident.id), { anomaly_id: worst?.anomalyId ?? undefined });
    return { console, act: console, ...this.pictures(orgId, worst) };
  }

  ofWatcher(orgId: number, watcherId: number, worst: LinkedMetric | null): AlertLinkSet {
    return { console: this.links.console(ALERT_PATHS.watcher(watcherId)), act: null, ...this.pictures(orgId, worst) };
  }

  /** For messages about the organisation as a whole. */
  ofOrg(): AlertLinkSet {
    return { console: this.links.console(ALERT_PATHS.home), act: null, graph: null, image: null };
  }

  private pictures(orgId: number, worst: LinkedMetric | null): Pick<AlertLinkSet, 'graph' | 'image'> {
    if (worst === null) return { graph: null, image: null };
    const { metric, anomalyId, start } = worst;
    const window = { from: Math.floor(start - BEFORE_SECONDS), until: Math.floor(start + AFTER_SECONDS) };
    return {
      graph: this.links.signed(orgId, `/metric/${encodeURIComponent(metric)}/graph`, window),
      image:
        anomalyId === null
          ? this.links.signed(orgId, '/image/metric', { metric, ...window })
          : this.links.signed(orgId, '/image/anomaly', { anomaly_id: anomalyId }),
    };
  }
}
