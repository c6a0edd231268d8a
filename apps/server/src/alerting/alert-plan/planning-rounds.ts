import { type Clock } from '../../common/clock.js';
import { NotificationDrivenWork } from '../../common/database/notification-driven-work.js';
import { inSpan, LINKS } from '../../common/telemetry/tracing.js';

const EVERY_MS = 200;
const LONGEST_REST_MS = 3000;
/** Maximum number of remembered times: beyond it, and for plans of other processes, the regular check suffices. */
const NOTED_SECONDS = 120;
const MAX_NOTED = 1000;

/** Rounds of planning: after a change, and at the moment at which a delayed message is due. */
export abstract class PlanningRounds extends NotificationDrivenWork {
  /** Unix seconds. */
  private scheduledRounds: number[] = [];

  /** @param failure message of the log when a round fails. @param channel of the notifications of changes */
  protected constructor(
    protected readonly clock: Clock,
    failure: string,
    channel: string,
  ) {
    super({ everyMs: EVERY_MS, failure, logEvery: 100, role: 'detect' }, channel, LONGEST_REST_MS);
  }

  /** The next check is not later than this; null: nothing is due. Unix seconds. */
  protected scheduleRounds(moments: readonly (number | null)[]): void {
    const now = this.clock.now();
    const all = [...this.scheduledRounds, ...moments.filter((moment) => moment !== null)];
    const ahead = all.filter((moment) => moment > now && moment < now + NOTED_SECONDS);
    this.scheduledRounds = [...new Set(ahead)].sort((a, b) => a - b).slice(0, MAX_NOTED);
  }

  /** A step of an organisation, in traces. */
  protected planOf<T>(orgId: number, work: () => Promise<T>): Promise<T> {
    const options = () => ({ linkedTo: LINKS.findings, attributes: { 'plumbline.organisation': orgId } });
    return inSpan('alert plan', options, (span) => {
      // Before: messages are delivered as soon as they are committed.
      span?.remember(LINKS.plan(orgId));
      return work();
    });
  }

  protected override pauseMs(): number {
    const now = this.clock.now();
    this.scheduledRounds = this.scheduledRounds.filter((moment) => moment > now);
    const untilNextMs = ((this.scheduledRounds[0] ?? Infinity) - now) * 1000;
    return Math.max(this.restMs(), Math.min(EVERY_MS, Math.ceil(untilNextMs)));
  }
}
