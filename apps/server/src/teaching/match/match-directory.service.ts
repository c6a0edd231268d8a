import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { AnomalyContextService } from '../../analysis/anomaly/anomaly-context.service.js';
import { MatchActsService } from './match-acts.service.js';
import { MatchPresenter } from './match-presenter.js';
import { type MatchDto } from './match.dto.js';
import { MatchRepository } from './match.repository.js';

/** Matches for other areas. */
@Injectable()
export class MatchDirectoryService implements OnModuleInit {
  constructor(
    private readonly matches: MatchRepository,
    private readonly acts: MatchActsService,
    private readonly presenter: MatchPresenter,
    private readonly context: AnomalyContextService,
  ) {}

  onModuleInit(): void {
    this.context.register((caller, timestamp, seconds, limit) => this.near(caller, timestamp, seconds, limit));
  }

  /** Matches of only these patterns become anomalies again, without alerts. */
  async withdrawOfPatterns(orgId: number, patternIds: readonly number[], tx: Tx): Promise<void> {
    for (const match of await this.matches.ofPatterns(orgId, patternIds, tx)) {
      await this.acts.withdraw(match, match.event, { quiet: true }, tx);
    }
  }

  private async near(caller: KnownCaller, timestamp: number, seconds: number, limit: number): Promise<MatchDto[]> {
    return this.presenter.present(caller, await this.matches.startedNear(caller.org.id, timestamp, seconds, limit));
  }
}
