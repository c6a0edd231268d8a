import { Injectable } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { DAY } from '../../common/time.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { ExclusionEffectsService } from './exclusion-effects.service.js';
import { ExclusionManagementRepository } from './exclusion-management.repository.js';

/** First key of its advisory lock. */
const LOCK_SPACE = DATABASE_LOCKS.exclusionReapplication.number;
const EVERY_MS = 30_000;
/**
 * For this time after a change, exclusions are applied in every round; without a change they are checked less often.
 * Seconds.
 */
const SETTLING_SECONDS = 180;
const CHECK_EVERY_SECONDS = 600;
const DELETED_KEPT_SECONDS = 30 * DAY;

/**
 * Applies exclusions again every half minute, in one process of the installation: this completes the work of a process
 * that stopped, and covers points that another process accepted before it knew of the exclusion.
 */
@Injectable()
export class ExclusionReapplicationService {
  /** By organisation: its exclusions, since when it has had them, and when they were last applied. Unix seconds. */
  private readonly turns = new Map<number, { generation: number; changedAt: number; appliedAt: number }>();

  constructor(
    private readonly directory: ExclusionDirectoryService,
    private readonly effects: ExclusionEffectsService,
    private readonly exclusions: ExclusionManagementRepository,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {}

  /** Returns true if this process did it; another process may be doing it. */
  @Housekeeping({ everyMs: EVERY_MS, failure: 'Exclusions could not be applied', role: 'detect' })
  run(): Promise<boolean> {
    return this.locks.runAlone(LOCK_SPACE, 0, async () => {
      await this.directory.refresh();
      const orgIds = new Set([
        ...this.directory.orgsThatKeepDataOut(),
        ...(await this.exclusions.orgsWithExcludedMetrics()),
      ]);
      for (const orgId of orgIds) if (this.shouldApply(orgId)) await this.effects.apply(orgId);
      await this.exclusions.dropDeletedBefore(new Date((this.clock.now() - DELETED_KEPT_SECONDS) * 1000));
    });
  }

  /** Checking all excluded metrics of an organisation takes time, so it is done only if it may change something. */
  private shouldApply(orgId: number): boolean {
    const now = this.clock.now();
    const generation = this.directory.generation(orgId);
    const known = this.turns.get(orgId);
    const turn = known?.generation === generation ? known : { generation, changedAt: now, appliedAt: -Infinity };
    this.turns.set(orgId, turn);
    if (now - turn.changedAt > SETTLING_SECONDS && now - turn.appliedAt < CHECK_EVERY_SECONDS) return false;
    turn.appliedAt = now;
    return true;
  }
}
