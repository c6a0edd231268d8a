import { Injectable, Logger } from '@nestjs/common';
import { PastAlertsService } from '../../alerting/alert-plan/past-alerts.service.js';
import { messageOf } from '../../common/errors/message-of.js';
import { type Feeding } from './demo-feeds.service.js';
import { pause } from './demo-pause.js';
import { LIVE_SECONDS } from './demo-sender.service.js';
import { DemoStoryRepository } from './demo-story.repository.js';

const POLL_MS = 500;
/** This many checks in a row find the same when nothing is pending any more. */
const CALM_LOOKS = 3;
/** Anomalies that are not grouped within these are ignored. */
const LOOKS_AT_MOST = 60;
/** Watchers that are not made within these come with the next start. */
const LOOKS_FOR_WATCHERS = 20;

/** Gives the watchers of a demo the messages that they would have sent in its history, as a record of a replay. */
@Injectable()
export class DemoAlertsService {
  private readonly logger = new Logger(DemoAlertsService.name);

  constructor(
    private readonly past: PastAlertsService,
    private readonly stories: DemoStoryRepository,
  ) {}

  /** Once for each watcher that the demo began with; the story is complete, and all of the history is there. */
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

  /** Anomalies are written shortly after the points that they are found in, and grouped to incidents after that. */
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
