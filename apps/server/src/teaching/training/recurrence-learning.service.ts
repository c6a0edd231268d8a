import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { counted } from '../../common/display/display.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { HOUR } from '../../common/time.js';
import { type AnomalyChanged, AnomalyEvents } from '../../analysis/anomaly/anomaly.events.js';
import { AnomalyRecordingService } from '../../analysis/anomaly/anomaly-recording.service.js';
import { TooManyPatternsError } from '../../analysis/pattern/pattern.errors.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { type Recurrence, RecurrencesService } from './recurrences.service.js';
import { ofMetric } from '../../platform/event/event.functions.js';
import { type EventText } from '../../platform/event/event.types.js';

const EVERY_MS = 2000;
/**
 * Maximum time of a round, in which at least one metric is checked: the thread that compares shapes also does other
 * work.
 */
const BUDGET_MS = 100;
/** Maximum number of metrics that wait for a check; others are checked when they recur. */
const MAX_WAITING = 10_000;
/** Minimum time between two patterns that are learnt from a metric. */
const REST_SECONDS = 12 * HOUR;
/** 0 is for trained patterns. */
const GENERATION = 1;

/**
 * Learns a pattern from recurring anomalies: a shape that was an anomaly at the same time of three days, for a metric
 * that does not count errors. It begins in shadow and suppresses nothing before a person or trusted patterns have
 * agreed with it.
 */
@Injectable()
export class RecurrenceLearningService extends RecurringWork implements OnModuleInit {
  /** The latest anomaly of each metric. */
  private readonly waiting = new Map<number, { orgId: number; anomalyId: number }>();

  constructor(
    private readonly changes: AnomalyEvents,
    private readonly recurrences: RecurrencesService,
    private readonly patterns: PatternDirectoryService,
    private readonly anomalies: AnomalyRecordingService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Recurring shapes could not be learnt', logEvery: 60, role: 'detect' });
  }

  onModuleInit(): void {
    this.changes.subscribe((change) => this.note(change));
  }

  async run(): Promise<void> {
    const end = performance.now() + BUDGET_MS;
    for (const [metricId, { orgId, anomalyId }] of [...this.waiting]) {
      if (this.isStopping || performance.now() > end) return;
      this.waiting.delete(metricId);
      await this.learn(orgId, metricId, anomalyId);
    }
  }

  private note({ type, orgId, metricId, anomalyId, facts }: AnomalyChanged): void {
    if (!this.isWanted() || type !== 'closed' || facts.kind === 'missing_data') return;
    if (facts.closeReason !== 'recovered' && facts.closeReason !== 'adapted') return;
    if (this.waiting.size < MAX_WAITING || this.waiting.has(metricId)) this.waiting.set(metricId, { orgId, anomalyId });
  }

  private async learn(orgId: number, metricId: number, anomalyId: number): Promise<void> {
    const since = new Date((this.clock.now() - REST_SECONDS) * 1000);
    if ((await this.patterns.learntSince(orgId, [metricId], since)).size > 0) return;
    const recurrence = await this.recurrences.find(orgId, metricId, anomalyId);
    if (recurrence !== null) await this.create(orgId, recurrence, since);
  }

  private async create(
    orgId: number,
    { metricId, anomaly, shape, starts, habit }: Recurrence,
    since: Date,
  ): Promise<void> {
    const pattern = {
      orgId,
      metricId,
      anomalyId: anomaly.id,
      trainingId: null,
      parentId: null,
      rootId: null,
      generation: GENERATION,
      origin: 'recurring',
      creatorUserId: null,
      shape,
      starts,
      habit,
      anomalyValue: anomaly.value,
      label: '',
      positive: false,
      shadow: true,
      learn: false,
      createdAt: new Date(this.clock.now() * 1000),
    } as const;
    try {
      await this.transactions.run(async (tx) => {
        // Locked, so that only one of several processes creates the pattern.
        if ((await this.anomalies.lock(orgId, anomaly.id, tx)) === null) return;
        if ((await this.patterns.learntSince(orgId, [metricId], since, tx)).size > 0) return;
        const { id, disabled } = await this.patterns.create(pattern, tx);
        await this.patterns.announce(orgId, { created: [id], updated: disabled }, tx);
        const text: EventText = (names) =>
          `A shape${ofMetric(names)} that came ${counted(starts.length, 'time')} at the same hour was learnt; it is in shadow`;
        this.patterns.report('pattern_created', { ...pattern, id }, text, {}, tx);
      });
    } catch (error) {
      // All existing patterns were trained by people; there is no room for learnt ones.
      if (!(error instanceof TooManyPatternsError)) throw error;
    }
  }
}
