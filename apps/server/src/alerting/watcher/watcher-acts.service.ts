import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { OnboardingService } from '../../people/progress/onboarding.service.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type AuditChange } from '../../platform/audit/audit.types.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { thresholdDto } from './dto/watcher.dto.js';
import { type Watcher, type WatcherSettings } from './watcher.types.js';

export type WatcherAct = 'create' | 'update' | 'delete' | 'restore';

const EVENTS = {
  create: 'watcher_created',
  update: 'watcher_updated',
  delete: 'watcher_deleted',
  restore: 'watcher_restored',
} as const satisfies Record<WatcherAct, string>;

/** Records changes of watchers: in the audit trail and, after the commit, as events. */
@Injectable()
export class WatcherActsService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
    private readonly onboarding: OnboardingService,
  ) {}

  async record(
    caller: KnownCaller,
    act: WatcherAct,
    { id, name, chips }: Pick<Watcher, 'id' | 'name' | 'chips'>,
    changes: readonly AuditChange[],
    tx: Tx,
  ): Promise<void> {
    await this.audit.record(
      {
        orgId: caller.org.id,
        actor: actorOf(caller),
        action: `watcher.${act}`,
        object: { type: 'watcher', id: String(id), name },
        changes,
      },
      tx,
    );
    this.events.record(
      {
        orgId: caller.org.id,
        type: EVENTS[act],
        level: 'info',
        message: `${name}: ${chips.join(', ')}`,
        watcherId: id,
        ref: { kind: 'watcher', id: String(id) },
        ...byCaller(caller),
      },
      tx,
    );
  }

  /** Completes a step of the onboarding. */
  noteDone(caller: KnownCaller, flag: 'alert_created' | 'test_alert_sent'): Promise<void> {
    return this.onboarding.noteDone(caller, flag);
  }
}

/** The differences between two states of a watcher; null: it did not exist, or no longer exists. */
export function changesOf(before: WatcherSettings | null, after: WatcherSettings | null): AuditChange[] {
  return changesBetween(before === null ? {} : fieldsOf(before), after === null ? {} : fieldsOf(after), {
    secrets: ['teams_chat_webhook'],
  });
}

function fieldsOf(watcher: WatcherSettings): object {
  const { recipients } = watcher;
  return {
    name: watcher.name,
    chips: watcher.chips,
    alert: watcher.alert,
    min_severity: watcher.minSeverity,
    min_duration_seconds: watcher.minDurationSeconds,
    direction: watcher.direction,
    kinds: watcher.kinds,
    alert_budget_per_week: watcher.alertBudgetPerWeek,
    chat_channel: watcher.chatChannel,
    teams_chat_webhook: watcher.teamsChatWebhook,
    pagerduty: watcher.pagerduty,
    alertmanager: watcher.alertmanager,
    webhook: watcher.webhook,
    expiration_time: watcher.expirationTime,
    expiration_time_unit: watcher.expirationTimeUnit,
    email_users: recipients.email,
    sms_users: recipients.sms,
    chat_mention_users: recipients.chat_mentions,
    summary_report_frequency: watcher.summaryReportFrequency,
    summary_report_users: recipients.summary,
    threshold: thresholdDto(watcher.threshold),
  };
}
