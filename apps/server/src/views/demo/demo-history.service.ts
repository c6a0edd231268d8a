import { Injectable, Logger } from '@nestjs/common';
import { PastAlertsService } from '../../alerting/alert-plan/past-alerts.service.js';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { HOUR } from '../../common/time.js';
import { OnboardingService } from '../../people/progress/onboarding.service.js';
import { DemoFeedsService, type Feeding } from './demo-feeds.service.js';
import { pause } from './demo-pause.js';
import { DemoSenderService, LIVE_SECONDS } from './demo-sender.service.js';
import { DemoStoryRepository } from './demo-story.repository.js';
import { DemoStoryService } from './demo-story.service.js';
import { LiveDemosService } from './live-demos.service.js';

const POLL_MS = 500;
/** Number of consecutive checks with the same result after which nothing is pending any more. */
const CALM_LOOKS = 3;
/** Maximum number of checks; anomalies that are not grouped by then are ignored. */
const LOOKS_AT_MOST = 60;
/**
 * Maximum number of checks for the watchers of a new organisation; watchers that are created later get their messages
 * at the next start.
 */
const LOOKS_FOR_WATCHERS = 20;

/** Creates the messages that the watchers of a demo would have sent in its history, as a record of a replay. */
@Injectable()
export class DemoAlertsService {
  private readonly logger = new Logger(DemoAlertsService.name);

  constructor(
    private readonly past: PastAlertsService,
    private readonly stories: DemoStoryRepository,
  ) {}

  /** Runs once for each initial watcher of the demo, when the story is complete and the whole history is stored. */
  async record({ orgId, name, story }: Feeding, stop: AbortSignal): Promise<void> {
    try {
      await this.waitUntilSettled(orgId, stop);
      for (let look = 0; look < LOOKS_FOR_WATCHERS && !stop.aborted; look++) {
        if ((await this.past.record(orgId, { from: story.beginsAt, liveSeconds: LIVE_SECONDS })) > 0) return;
        await pause(POLL_MS, stop);
      }
    } catch (error) {
      // The demo continues without them.
      if (!stop.aborted) this.logger.warn(`Demo ${name}: its alerts were not replayed: ${messageOf(error)}`);
    }
  }

  /** Anomalies are written shortly after the points in which they are found, and grouped into incidents after that. */
  private async waitUntilSettled(orgId: number, stop: AbortSignal): Promise<void> {
    let last: string | null = null;
    let unchanged = 0;
    for (let look = 0; look < LOOKS_AT_MOST && unchanged < CALM_LOOKS && !stop.aborted; look++) {
      if (look > 0) await pause(POLL_MS, stop);
      const { isPending, state } = await this.stories.findings(orgId);
      unchanged = !isPending && state === last ? unchanged + 1 : 0;
      last = state;
    }
  }
}

/** Span of the slots of all series that are appended to the log together while history is sent. */
const CHUNK_SECONDS = 4 * HOUR;
const LEARNING_POLL_MS = 1000;
const LEARNING_AT_MOST_SECONDS = 600;
const PROGRESS_STEP_PERCENT = 10;

const READY = 'Demo: ready. Its anomalies are at GET /api/anomalies; new points come every minute';

/** Receives a line about the progress of the history. */
export type LogProgress = (line: string) => void;

/** Sends the history of a demo, waits until it is learnt, and applies its story along the way. */
@Injectable()
export class DemoHistoryService {
  constructor(
    private readonly demos: LiveDemosService,
    private readonly feeds: DemoFeedsService,
    private readonly sender: DemoSenderService,
    private readonly stories: DemoStoryService,
    private readonly alerts: DemoAlertsService,
    private readonly onboarding: OnboardingService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends the missing points up to now: the whole history on the first start, those of the interruption on later ones.
   */
  async send(feeding: Feeding, logProgress: LogProgress, stop: AbortSignal): Promise<void> {
    const { feed, orgId, name, isPublic } = feeding;
    const from = feed.sentUpTo;
    const until = this.sender.newestSlot();
    const title = isPublic ? `Demo for visitors (${name})` : 'Demo';
    if (until - from < LIVE_SECONDS) {
      await this.sender.send(feeding, until, stop);
      return this.finishAndLog(feeding, title, logProgress, stop);
    }
    const what = `${title}: sending ${span(until - from)} of ${String(feed.series.length)} series`;
    // A user who has just started the product waits for the private demo; for the others one line is enough.
    const logStep = isPublic ? () => undefined : logProgress;
    logStep(what);
    let reportedPercent = 0;
    let teachingAt = await this.stories.nextTeachingAt(feeding, from);
    for (let upTo = from; upTo < until && !stop.aborted;) {
      if (await this.demos.isGone(orgId)) return;
      upTo = Math.min(until, upTo + CHUNK_SECONDS, teachingAt ?? until);
      await this.sender.send(feeding, upTo, stop);
      if (upTo === teachingAt) {
        await this.waitUntilLearnt(feeding, stop);
        if (!(await this.demos.isGone(orgId))) await this.stories.teach(feeding, stop);
        teachingAt = await this.stories.nextTeachingAt(feeding, upTo);
      }
      const percent = Math.floor((100 * (upTo - from)) / (until - from));
      if (percent >= reportedPercent + PROGRESS_STEP_PERCENT) {
        reportedPercent = percent - (percent % PROGRESS_STEP_PERCENT);
        logStep(`${what}: ${String(reportedPercent)} %`);
      }
    }
    await this.onboarding.advance(orgId, 100);
    logStep(`${title}: learning the history`);
    await this.waitUntilLearnt(feeding, stop);
    if (await this.demos.isGone(orgId)) return;
    await this.finishAndLog(feeding, title, logProgress, stop);
  }

  /** Adds missing parts of the story, and its alerts: a reset may have removed some. */
  async finish(feeding: Feeding, stop: AbortSignal): Promise<void> {
    await this.stories.finish(feeding, stop);
    if (!(await this.demos.isGone(feeding.orgId))) await this.alerts.record(feeding, stop);
  }

  private async finishAndLog(
    feeding: Feeding,
    title: string,
    logProgress: LogProgress,
    stop: AbortSignal,
  ): Promise<void> {
    await this.finish(feeding, stop);
    if (stop.aborted || (await this.demos.isGone(feeding.orgId))) return;
    logProgress(feeding.isPublic ? `${title}: ready` : READY);
  }

  /** Waits until the whole history is in the store: the workers that learn the series finish at different times. */
  private async waitUntilLearnt(feeding: Feeding, stop: AbortSignal): Promise<void> {
    // Points of a metric that a user has removed never arrive.
    const latest = this.clock.now() + LEARNING_AT_MOST_SECONDS;
    while (!stop.aborted && this.clock.now() < latest && !(await this.demos.isGone(feeding.orgId))) {
      if (await this.feeds.isStored(feeding)) return;
      await pause(LEARNING_POLL_MS, stop);
    }
  }
}

function span(seconds: number): string {
  const hours = Math.round(seconds / HOUR);
  return hours < 48 ? `${String(hours)} hours` : `${String(Math.round(hours / 24))} days`;
}
