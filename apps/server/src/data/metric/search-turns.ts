import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type Turns } from '../../common/fair-share/turns.js';
import { TurnsRegistry } from '../../common/fair-share/turns-registry.js';
import { currentRequest } from '../../common/http/request-context.js';

/** Searches that wait: of all organisations, and of one. */
const WAITING = 500;
const WAITING_PER_ORG = 60;

/**
 * Turns for lists of metrics that are searched for: they look at many rows, and keep a processor of the database busy. One
 * of an organisation is under way; its other requests do not wait behind it.
 */
@Injectable()
export class SearchTurns {
  private readonly turns: Turns;

  constructor(registry: TurnsRegistry) {
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
