import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type AlertDeliveryDto } from '../alert-history/alert-delivery.dto.js';
import { AlertHistoryService } from '../alert-history/alert-history.service.js';

/** Records of matches near a time, nearest first. Implemented by a higher area. */
export type MatchesNear = (caller: KnownCaller, timestamp: number, seconds: number, limit: number) => Promise<object[]>;

/** Events around an anomaly, as higher areas report them; empty if those are not loaded. */
@Injectable()
export class AnomalyContextService {
  private find: MatchesNear = () => Promise.resolve([]);

  constructor(private readonly alerts: AlertHistoryService) {}

  register(find: MatchesNear): void {
    this.find = find;
  }

  matchesNear(...args: Parameters<MatchesNear>): Promise<object[]> {
    return this.find(...args);
  }

  /** Messages of alerts about an anomaly, newest first. */
  alertsOf(caller: KnownCaller, anomalyId: number, limit: number): Promise<AlertDeliveryDto[]> {
    return this.alerts.listOfAnomaly(caller, anomalyId, limit);
  }
}
