import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { actorOf, changesBetween } from '../audit/audit.types.js';
import { type CallerOrg, type KnownCaller } from '../common/auth/caller.js';
import { type Chip } from '../common/chips/chips.js';
import { Clock } from '../common/clock.js';
import { Transactions, type Tx } from '../common/database/transactions.js';
import { pageOf } from '../common/paging/paging.js';
import { EventRecorder } from '../event/event-recorder.service.js';
import { OrgService } from '../org/org.service.js';
import {
  type ExclusionAddedDto,
  type ExclusionAnswerDto,
  type ExclusionsDto,
  type ExclusionTestDto,
  type ExclusionTypesDto,
} from './dto/exclusion-answers.dto.js';
import {
  type AddExclusionParams,
  type ListExclusionsQuery,
  type TestExclusionQuery,
  typeIdOf,
} from './dto/exclusion.query.dto.js';
import { ExclusionDirectory, toExclusion } from './exclusion-directory.service.js';
import { ExclusionEffects } from './exclusion-effects.service.js';
import { ExclusionPresenter } from './exclusion-presenter.service.js';
import { type ExclusionEntity } from './exclusion.entity.js';
import {
  ExclusionExistsError,
  ExclusionLimitReachedError,
  ExclusionNotFoundError,
  MemberChipError,
} from './exclusion.errors.js';
import { ExclusionRepository, type NewExclusion } from './exclusion.repository.js';
import { ANALYSIS_TYPE_ID, EXCLUSION_TYPES, type Exclusion, exclusionType } from './exclusion.types.js';

const MAX_PER_ORG = 500;
const MOST_NAMES = 1000;
const WEEK_SECONDS = 7 * 86_400;

/** Adding, listing and deleting exclusions. */
@Injectable()
export class ExclusionService {
  constructor(
    private readonly exclusions: ExclusionRepository,
    private readonly directory: ExclusionDirectory,
    private readonly presenter: ExclusionPresenter,
    private readonly effects: ExclusionEffects,
    private readonly orgs: OrgService,
    private readonly events: EventRecorder,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  types(): ExclusionTypesDto {
    return { types: [...EXCLUSION_TYPES] };
  }

  async list(org: CallerOrg, query: ListExclusionsQuery): Promise<ExclusionsDto> {
    const found = (await this.exclusions.ofOrg(org.id))
      .map(toExclusion)
      .filter(({ typeId }) => query.type_id === undefined || typeId === query.type_id)
      .filter((one) => query.active === undefined || this.presenter.isInForce(one, org) === query.active);
    const shown = found.slice(query.offset, query.offset + query.limit);
    return { exclusions: await this.presenter.present(org, shown), ...pageOf(query, found.length) };
  }

  async test(orgId: number, { chips }: TestExclusionQuery): Promise<ExclusionTestDto> {
    const [metrics, count, anomalies] = await Promise.all([
      this.exclusions.metricNames(orgId, chips, MOST_NAMES),
      this.exclusions.countMetrics(orgId, chips),
      this.exclusions.countAnomalies(orgId, chips, this.clock.now() - WEEK_SECONDS),
    ]);
    return {
      metrics,
      count,
      truncated: count > metrics.length,
      anomalies_last_7_days: anomalies,
      // A true zero: this version sends no alerts.
      alerts_last_7_days: 0,
    };
  }

  /** @throws MemberChipError, ExclusionExistsError, ExclusionLimitReachedError */
  async add(caller: KnownCaller, params: AddExclusionParams): Promise<ExclusionAddedDto> {
    const { org } = caller;
    const wanted = definitionOf(caller, params);
    if (wanted.typeId === ANALYSIS_TYPE_ID && params.chips.some(isOnMember)) throw new MemberChipError();
    const id = await this.transactions.run(async (tx) => {
      await this.orgs.lock(org.id, tx);
      const present = await this.exclusions.ofOrg(org.id, tx);
      const same = present.find((row) => keyOf(row) === keyOf(wanted));
      if (same) throw new ExclusionExistsError(same.id);
      if (present.length >= MAX_PER_ORG) throw new ExclusionLimitReachedError(MAX_PER_ORG);
      const made = await this.exclusions.insert(wanted, tx);
      await this.recordAct('exclusion.add', caller, made, wanted, tx);
      return made;
    });
    const exclusion = await this.taken(org.id, id, wanted.typeId);
    this.report('exclusion_added', caller, exclusion);
    const [record] = await this.presenter.present(org, [exclusion]);
    return {
      exclusion: record!,
      metrics: await this.exclusions.metricNames(org.id, exclusion.chips, MOST_NAMES),
      metrics_count: record!.metrics_count,
      message: 'OK',
    };
  }

  /**
   * Deleting one again answers as the first time.
   * @param field the parameter that named it, when it was not the path
   * @throws ExclusionNotFoundError
   */
  async delete(caller: KnownCaller, id: number, field?: string): Promise<ExclusionAnswerDto> {
    const { org } = caller;
    const row = await this.exclusions.find(org.id, id);
    if (!row) throw new ExclusionNotFoundError(id, field);
    const exclusion = toExclusion(row);
    const isDeleted = await this.transactions.run(async (tx) => {
      if (!(await this.exclusions.markDeleted(org.id, id, new Date(this.clock.now() * 1000), tx))) return false;
      await this.recordAct('exclusion.delete', caller, id, row, tx);
      return true;
    });
    if (isDeleted) {
      await this.takeEffect(org.id, row.typeId);
      this.report('exclusion_removed', caller, exclusion);
    }
    const [record] = await this.presenter.present(org, [exclusion]);
    return { exclusion: Object.assign(record!, { active: false }), message: 'OK' };
  }

  private async taken(orgId: number, id: number, typeId: ExclusionEntity['typeId']): Promise<Exclusion> {
    await this.takeEffect(orgId, typeId);
    const row = await this.exclusions.find(orgId, id);
    if (!row) throw new ExclusionNotFoundError(id);
    return toExclusion(row);
  }

  private async takeEffect(orgId: number, typeId: ExclusionEntity['typeId']): Promise<void> {
    await this.directory.refresh();
    if (typeId === ANALYSIS_TYPE_ID) await this.effects.apply(orgId);
  }

  private async recordAct(
    action: 'exclusion.add' | 'exclusion.delete',
    caller: KnownCaller,
    id: number,
    row: NewExclusion,
    tx: Tx,
  ): Promise<void> {
    const { typeId, chips, reason, fromTimestamp, untilTimestamp } = row;
    const { recurrenceDays, recurrenceStart, recurrenceDurationSeconds } = row;
    const definition = {
      type: exclusionType(typeId).name,
      chips,
      reason,
      from: fromTimestamp,
      until: untilTimestamp,
      recurrence_days: recurrenceDays,
      recurrence_start: recurrenceStart,
      recurrence_duration_seconds: recurrenceDurationSeconds,
    };
    await this.audit.record(
      {
        orgId: caller.org.id,
        actor: actorOf(caller),
        action,
        object: { type: 'exclusion', id: String(id), name: chips.join(', ') },
        changes: action === 'exclusion.add' ? changesBetween({}, definition) : changesBetween(definition, {}),
      },
      tx,
    );
  }

  private report(type: 'exclusion_added' | 'exclusion_removed', caller: KnownCaller, exclusion: Exclusion): void {
    const chips = exclusion.chips.map(({ text }) => text).join(', ');
    const { name } = exclusionType(exclusion.typeId);
    this.events.record({
      orgId: caller.org.id,
      type,
      level: 'info',
      message: `${name}: ${chips}${exclusion.reason === '' ? '' : ` (${exclusion.reason})`}`,
      ref: { kind: 'exclusion', id: String(exclusion.id) },
      ...(caller.kind === 'user' ? { userId: caller.userId } : {}),
    });
  }
}

const isOnMember = ({ subject }: Chip): boolean => subject.on === 'member' && subject.member !== 'name';

function definitionOf(caller: KnownCaller, params: AddExclusionParams): NewExclusion {
  const { recurrence_days: days = [], recurrence_start: start, recurrence_duration_seconds: duration } = params;
  const hasRecurrence = days.length > 0;
  return {
    orgId: caller.org.id,
    // The parameters are sound: exactly one of the two forms is there.
    typeId: typeIdOf(params)!,
    chips: params.chips.map(({ text }) => text),
    reason: params.reason,
    fromTimestamp: params.from ?? null,
    untilTimestamp: params.until ?? null,
    recurrenceDays: hasRecurrence ? [...days] : null,
    recurrenceStart: hasRecurrence ? (start ?? null) : null,
    recurrenceDurationSeconds: hasRecurrence ? (duration ?? null) : null,
    createdBy: caller.kind === 'user' ? caller.userId : null,
  };
}

/** Equal for exclusions of the same type, chips and times. */
function keyOf(row: NewExclusion): string {
  const { typeId, fromTimestamp, untilTimestamp, recurrenceStart, recurrenceDurationSeconds } = row;
  return JSON.stringify([
    typeId,
    [...row.chips].sort(),
    fromTimestamp,
    untilTimestamp,
    [...(row.recurrenceDays ?? [])].sort(),
    recurrenceStart,
    recurrenceDurationSeconds,
  ]);
}
