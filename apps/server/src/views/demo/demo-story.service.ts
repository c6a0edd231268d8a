import { Injectable, Logger } from '@nestjs/common';
import { displayNameOf } from '#libs/protocols';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { DAY, HOUR, MINUTE } from '../../common/time.js';
import { AnomalyDetailsService } from '../../analysis/anomaly/anomaly-details.service.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { type AnomalyDto } from '../../analysis/anomaly/anomaly.dto.js';
import { TrainingService } from '../../teaching/training/training.service.js';
import { TuningService } from '../../teaching/tuning/tuning.service.js';
import { parseChips } from '../../data/chips/chips.js';
import { type Feeding } from './demo-feeds.service.js';
import { pause } from './demo-pause.js';
import { type DemoStoryStep, DemoStoryRepository } from './demo-story.repository.js';

/** The trained night comes after a day of data, which a pattern of 24 hours needs. */
const BEFORE_SECONDS = DAY;
/** Number of nights that are candidates for training: the detector does not find every night completely. */
const NIGHTS = 2;
/** Maximum time after the job until an anomaly has ended and its end is stored. */
const AFTER_SECONDS = 2 * HOUR;
/** Maximum distance of the start of an anomaly from the expected start. */
const NEAR_SECONDS = 10 * MINUTE;
const POLL_MS = 500;
/** Number of polls after which a missing anomaly will not appear any more. */
const POLLS_TO_FIND = 20;
const POLLS_BEFORE_NEXT = 4;
const POLLS_TO_BUILD = 120;
const LATER = Symbol('later');

type Found = AnomalyDto & { id: number };

/**
 * Applies the story of a demo, through the services that the API uses: the nightly job is marked as expected early in
 * the history, so that later nights are matches, an outage is confirmed, and a metric is tuned. Each part is applied
 * once, also after a restart; anomalies that the detector did not find are skipped.
 */
@Injectable()
export class DemoStoryService {
  private readonly logger = new Logger(DemoStoryService.name);

  constructor(
    private readonly stories: DemoStoryRepository,
    private readonly anomalies: AnomalyService,
    private readonly details: AnomalyDetailsService,
    private readonly training: TrainingService,
    private readonly tunings: TuningService,
    private readonly clock: Clock,
  ) {}

  /**
   * The next time up to which the history must be learnt before the job is marked, Unix seconds; null if it is marked.
   * The job is marked as early as possible: a few nights later the detector expects it without training, and no night
   * would be a match.
   *
   * @param sentUpTo Unix seconds
   */
  async nextTeachingAt(feeding: Feeding, sentUpTo: number): Promise<number | null> {
    if ((await this.stories.find(feeding.orgId)).taughtAt !== null) return null;
    return (
      nightsOf(feeding)
        .map(({ until }) => until + AFTER_SECONDS)
        .find((lesson) => lesson > sentUpTo) ?? null
    );
  }

  /**
   * Marks the nightly job as expected, if the detector has found one of its nights; otherwise a later attempt may
   * succeed.
   */
  async teach(feeding: Feeding, stop: AbortSignal, isLastAttempt = false): Promise<void> {
    const { caller, story } = feeding;
    const polls = isLastAttempt ? POLLS_TO_FIND : POLLS_BEFORE_NEXT;
    await this.runStep(feeding, 'taughtAt', `${story.job.name} was not taught`, stop, async () => {
      const nights = nightsOf(feeding);
      const night = await this.wait(polls, stop, () => this.nightOf(feeding, nights));
      if (!night) return isLastAttempt ? 'none of its nights was found by the detector' : LATER;
      await this.training.train(caller, {
        anomaly_id: night.id,
        expected: true,
        durations: ['24h'],
        label: story.job.name,
        learn: true,
        remember: false,
        dry_run: false,
      });
      await this.wait(POLLS_TO_BUILD, stop, async () => {
        const { anomaly } = await this.details.find(caller, night.id);
        return anomaly.training.trainable_status === 'trained' ? anomaly : undefined;
      });
      return null;
    });
  }

  /** Applies the remaining parts of the story, after the whole history is stored. */
  async finish(feeding: Feeding, stop: AbortSignal): Promise<void> {
    await this.teach(feeding, stop, true);
    await this.confirm(feeding, stop);
    await this.tune(feeding, stop);
  }

  /** Confirms that the outage was a real problem. */
  private async confirm(feeding: Feeding, stop: AbortSignal): Promise<void> {
    const { caller, story } = feeding;
    const { metric, from } = story.outage;
    await this.runStep(feeding, 'confirmedAt', 'No anomaly was confirmed', stop, async () => {
      const found = await this.wait(POLLS_TO_FIND, stop, async () => {
        const rows = await this.near(feeding, metric, from);
        return rows.find(({ training }) => training.trainable_status === 'trainable');
      });
      if (!found) return `the detector did not find the trouble of ${metric}`;
      await this.training.train(caller, {
        anomaly_id: found.id,
        expected: false,
        label: '',
        learn: true,
        remember: false,
        dry_run: false,
      });
      return null;
    });
  }

  /**
   * A reset keeps the tuning of a demo for visitors, and this recreates a missing one; the tuning of the
   * administrator's demo is not recreated.
   */
  private async tune(feeding: Feeding, stop: AbortSignal): Promise<void> {
    const { caller, orgId, isPublic, story } = feeding;
    const { tunedAt, tuningId } = await this.stories.find(orgId);
    if (isPublic && tunedAt !== null && tuningId === null) await this.stories.note(orgId, { tunedAt: null });
    await this.runStep(feeding, 'tunedAt', 'Nothing was tuned', stop, async () => {
      const { metric, direction, why } = story.noisy;
      const chips = parseChips([displayNameOf(metric)]);
      const name = `${why.charAt(0).toUpperCase()}${why.slice(1)}`;
      const { tuning } = await this.tunings.create(caller, { name, chips, direction });
      await this.stories.note(orgId, { tuningId: tuning.id });
      return null;
    });
  }

  /**
   * Applies one part unless it is already applied. `act` returns null, the reason why it omitted the part, or LATER.
   */
  private async runStep(
    { orgId, name }: Feeding,
    step: DemoStoryStep,
    failure: string,
    stop: AbortSignal,
    act: () => Promise<string | typeof LATER | null>,
  ): Promise<void> {
    if ((await this.stories.find(orgId))[step] !== null) return;
    let left: string | typeof LATER | null;
    try {
      left = await act();
    } catch (error) {
      left = messageOf(error);
    }
    // A stopping process may not have polled long enough.
    if (left === LATER || (stop.aborted && left !== null)) return;
    if (left !== null) this.logger.warn(`Demo ${name}: ${failure}: ${left}`);
    await this.stories.note(orgId, { [step]: new Date(this.clock.now() * 1000) });
  }

  private async nightOf(
    feeding: Feeding,
    nights: readonly { from: number; until: number }[],
  ): Promise<Found | undefined> {
    for (const night of nights) {
      const rows = await this.near(feeding, feeding.story.job.metric, night.from);
      const whole = rows.find(({ timestamp, until_timestamp: end, training }) => {
        const isWhole = end !== null && end - timestamp >= (2 / 3) * (night.until - night.from);
        return isWhole && training.trainable_status === 'trainable';
      });
      if (whole) return whole;
    }
    return undefined;
  }

  /** Recorded anomalies of a metric that start near a time. */
  private async near({ caller }: Feeding, name: string, from: number): Promise<Found[]> {
    const window = { from: from - NEAR_SECONDS, until: from + NEAR_SECONDS };
    const { anomalies } = await this.anomalies.listOfMetric(
      caller,
      { name },
      { ...window, order: 'oldest', limit: 100, offset: 0 },
    );
    return anomalies.filter(
      (row): row is Found => row.id !== null && row.timestamp >= window.from && row.timestamp <= window.until,
    );
  }

  /** Polls until there is a result. */
  private async wait<T>(
    polls: number,
    stop: AbortSignal,
    attempt: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    for (let poll = 0; poll < polls && !stop.aborted; poll++) {
      const answer = await attempt();
      if (answer !== undefined) return answer;
      await pause(POLL_MS, stop);
    }
    return undefined;
  }
}

function nightsOf({ story }: Feeding): { from: number; until: number }[] {
  const from = story.beginsAt + BEFORE_SECONDS;
  return story.job.runs(from, from + (NIGHTS + 2) * DAY).slice(0, NIGHTS);
}
