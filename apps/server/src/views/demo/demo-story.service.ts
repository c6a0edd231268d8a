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

/** The trained night is after a day of data, which a pattern of 24 hours needs. */
const BEFORE_SECONDS = DAY;
/** Nights of which one is trained: not each of them is found whole. */
const NIGHTS = 2;
/** An anomaly has ended, and its end is known, this long after the job at the latest. */
const AFTER_SECONDS = 2 * HOUR;
/** An anomaly is the one that is meant when it begins this near to the beginning. */
const NEAR_SECONDS = 10 * MINUTE;
const POLL_MS = 500;
/** An anomaly that is not found within these will not appear. */
const POLLS_TO_FIND = 20;
const POLLS_BEFORE_NEXT = 4;
const POLLS_TO_BUILD = 120;
const LATER = Symbol('later');

type Found = AnomalyDto & { id: number };

/**
 * Applies the story of a demo, through the services that the API uses: the nightly job is marked as expected early in
 * the history, so that later nights are matches, an outage is confirmed, a metric is tuned. Each once, also after a
 * restart; anomalies that the detector did not find are skipped.
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
   * The next time up to which the history is to be learnt before the job is taught, Unix seconds; null if it is taught.
   * The job is taught as early as it can be: a few nights later the detector knows it by itself, and nothing is left to
   * be a match.
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

  /** The nightly job was expected, if the detector has found a night of it; without one a later lesson may do. */
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

  /** Applies the remaining parts of the story. The whole history exists by now. */
  async finish(feeding: Feeding, stop: AbortSignal): Promise<void> {
    await this.teach(feeding, stop, true);
    await this.confirm(feeding, stop);
    await this.tune(feeding, stop);
  }

  /** The outage was a real problem. */
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
   * A reset leaves the tuning of a demo for visitors, and creates a missing one again; that of an administrator is not
   * created again.
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

  /** Does one part unless it is done. `act` answers why it was omitted, null, or that it is for later. */
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
    // A process that stops has not looked long enough.
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

  /** Recorded anomalies of a metric that begin about a time. */
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

  /** Polls until there is an answer. */
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
