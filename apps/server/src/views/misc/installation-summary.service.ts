import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DetectionBacklog } from '../../data/detection-backlog/detection-backlog.service.js';
import { Mailer } from '../../platform/mail/mailer.service.js';
import { type InstallationCounts, InstallationCountsRepository } from './installation-counts.repository.js';

/** What the database says about the installation. Ages in seconds, null where there is nothing to be that old. */
export interface InstallationSummary extends Omit<InstallationCounts, 'lastPointAt'> {
  lastPointAt: number | null;
  lastPointAge: number | null;
  /** Points accepted and not yet detected on. */
  backlogPoints: number;
  /** Age of the oldest of them; 0 without any. */
  lagSeconds: number;
  mailsWaiting: number;
  oldestMailAge: number | null;
}

/** How full and how far behind the installation is, for `plumbline status`. */
@Injectable()
export class InstallationSummaries {
  constructor(
    private readonly counts: InstallationCountsRepository,
    private readonly backlog: DetectionBacklog,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Asks the database now. */
  async read(): Promise<InstallationSummary> {
    const [counts, mails] = await Promise.all([this.counts.countAll(), this.mailer.waiting(), this.backlog.run()]);
    const age = (at: number | null): number | null => (at === null ? null : Math.max(0, this.clock.now() - at));
    return {
      ...counts,
      lastPointAge: age(counts.lastPointAt),
      backlogPoints: this.backlog.points,
      lagSeconds: this.backlog.lagSeconds,
      mailsWaiting: mails.count,
      oldestMailAge: age(mails.since),
    };
  }
}
