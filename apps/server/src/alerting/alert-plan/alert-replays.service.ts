import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { type BudgetAnswer, type ReplayedAct, type ThresholdEvent } from '#libs/alerting';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { FairThread } from '../../common/workers/fair-thread.js';
import {
  type AlertOfReplay,
  type AlertReplayAnswer,
  type AlertReplayRequest,
  replayAlerts,
  type ReplayedPast,
} from './alert-replay.js';

/** Maximum number of waiting replays: of all organisations, and of one. */
const WAITING = 300;
const WAITING_PER_ORG = 60;

type AnswerOf<Kind> = Extract<AlertReplayAnswer, { kind: Kind }>;
type RequestOf<Kind> = Omit<Extract<AlertReplayRequest, { kind: Kind }>, 'kind'>;

/**
 * Replays the past for watchers in a separate thread, sequentially, in rotation between organisations. An incident with
 * thousands of members takes long: each of its steps processes all of them.
 */
@Injectable()
export class AlertReplaysService implements BeforeApplicationShutdown {
  private readonly thread: FairThread<AlertReplayRequest, AlertReplayAnswer>;

  constructor(turns: FairQueueRegistry) {
    const parts = {
      entry: new URL('./alert-replay-worker.js', import.meta.url),
      name: 'alert replays',
      handler: () => ({ handle: replayAlerts }),
    };
    const queue = turns.open('alert replays', { slots: 1, waiting: WAITING, waitingPerParty: WAITING_PER_ORG });
    this.thread = new FairThread(parts, queue);
  }

  /**
   * The messages that a watcher would have sent and suppressed until a moment, in order of time. @throws
   * OverloadedError, ClientGoneError
   */
  async alerts(past: ReplayedPast, until: number): Promise<AlertOfReplay[]> {
    return (await this.inTurn<'alerts'>(past.rule.orgId, { kind: 'alerts', past, until })).alerts;
  }

  /**
   * Everything that a watcher would have done between two moments, in order of time, had it been created at the first.
   * @throws OverloadedError, ClientGoneError
   */
  async acts(past: ReplayedPast, from: number, until: number): Promise<readonly ReplayedAct[]> {
    return (await this.inTurn<'acts'>(past.rule.orgId, { kind: 'acts', past, from, until })).acts;
  }

  /** The severity that a budget requires. Background work is never refused. @throws OverloadedError, ClientGoneError */
  async budget(request: RequestOf<'budget'>): Promise<BudgetAnswer> {
    return (await this.inTurn<'budget'>(request.past.rule.orgId, { kind: 'budget', ...request })).budget;
  }

  /** The events of a threshold for a series of the organisation. @throws OverloadedError, ClientGoneError */
  async threshold(orgId: number, request: RequestOf<'threshold'>): Promise<ThresholdEvent[]> {
    return (await this.inTurn<'threshold'>(orgId, { kind: 'threshold', ...request })).events;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }

  private async inTurn<Kind extends AlertReplayRequest['kind']>(
    orgId: number,
    request: Extract<AlertReplayRequest, { kind: Kind }>,
  ): Promise<AnswerOf<Kind>> {
    const replaying = () => this.thread.call(request) as Promise<AnswerOf<Kind>>;
    return this.thread.inTurnOrBackground(`org:${String(orgId)}`, replaying);
  }
}
