import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type FairQueue } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { currentRequest } from '../../common/http/request-context.js';

/** Maximum number of waiting searches: of all organisations, and of one. */
const WAITING = 500;
const WAITING_PER_ORG = 60;

/**
 * Fair queue for searches of metrics: they read many rows and occupy a processor of the database. Each organisation
 * runs one at a time; its other requests do not wait behind it.
 */
@Injectable()
export class SearchQueue {
  private readonly turns: FairQueue;

  constructor(registry: FairQueueRegistry) {
    this.turns = registry.open('searches', {
      slots: Math.max(2, availableParallelism() - 1),
      slotsPerParty: 1,
      waiting: WAITING,
      waitingPerParty: WAITING_PER_ORG,
    });
  }

  /** @throws OverloadedError too many searches wait; ClientGoneError */
  run<Result>(orgId: number, search: () => Promise<Result>): Promise<Result> {
    return this.turns.run(`org:${String(orgId)}`, search, currentRequest.getStore()?.gone);
  }
}
