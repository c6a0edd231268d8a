import { Injectable } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { type Tx } from '../../common/database/transactions.js';

/** Checks a finding of the detector before it becomes an anomaly. Implemented by a higher area. */
export interface AnomalyGate {
  /**
   * Holds, in the transaction of the effects, the events that must be checked first, and returns all others.
   * `AnomalyRecordingService.recordChecked` may later record an anomaly for a held event.
   */
  admit(events: readonly AnomalyEvent[], tx: Tx): Promise<readonly AnomalyEvent[]>;
}

/** The gate of the process, if it has one. Without a gate, all events become anomalies immediately. */
@Injectable()
export class AnomalyGateService {
  private gate: AnomalyGate | undefined;

  register(gate: AnomalyGate): void {
    this.gate = gate;
  }

  admit(events: readonly AnomalyEvent[], tx: Tx): Promise<readonly AnomalyEvent[]> {
    return this.gate ? this.gate.admit(events, tx) : Promise.resolve(events);
  }
}
