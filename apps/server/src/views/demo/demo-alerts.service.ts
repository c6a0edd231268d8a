import { Injectable, Logger } from '@nestjs/common';
import { PastAlertsService } from '../../alerting/alert-plan/past-alerts.service.js';
import { messageOf } from '../../common/errors/message-of.js';
import { type Feeding } from './demo-feeds.service.js';
import { pause } from './demo-pause.js';
import { LIVE_SECONDS } from './demo-sender.service.js';
import { DemoStoryRepository } from './demo-story.repository.js';

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
      await this.untilCalm(orgId, stop);
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
  private async untilCalm(orgId: number, stop: AbortSignal): Promise<void> {
    let last: string | null = null;
    let calm = 0;
    for (let look = 0; look < LOOKS_AT_MOST && calm < CALM_LOOKS && !stop.aborted; look++) {
      if (look > 0) await pause(POLL_MS, stop);
      const { isPending, state } = await this.stories.findings(orgId);
      calm = !isPending && state === last ? calm + 1 : 0;
      last = state;
    }
  }
}
