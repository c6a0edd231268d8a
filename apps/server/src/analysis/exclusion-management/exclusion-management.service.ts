import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf, changesBetween } from '../../platform/audit/audit.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Chip } from '../../data/chips/chips.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { pageOf } from '../../common/paging/paging.js';
import { DAY } from '../../common/time.js';
import { byCaller } from '../../platform/event/event.types.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { OrgService } from '../../people/org/org.service.js';
import {
  type ExclusionAddedDto,
  type ExclusionAnswerDto,
  type ExclusionsDto,
  type ExclusionTestDto,
  type ExclusionTypesDto,
} from './dto/exclusion-answers.dto.js';
import {
  type AddExclusionParams,
  type ListExclusionsParams,
  type TestExclusionParams,
  typeIdOf,
} from './dto/exclusion-management.params.js';
import { ExclusionDirectory } from '../../data/exclusion/exclusion-directory.service.js';
import { ExclusionService } from '../../data/exclusion/exclusion.service.js';
import { ExclusionEffects } from './exclusion-effects.service.js';
import { ExclusionPresenter } from '../../data/exclusion/exclusion-presenter.service.js';
import {
  ExclusionExistsError,
  ExclusionLimitReachedError,
  ExclusionNotFoundError,
  MemberChipError,
} from './exclusion-management.errors.js';
import { ExclusionManagementRepository, type NewExclusion } from './exclusion-management.repository.js';
import {
  ANALYSIS_TYPE_ID,
  EXCLUSION_TYPES,
  type Exclusion,
  exclusionType,
} from '../../data/exclusion/exclusion.types.js';

const MAX_PER_ORG = 500;
const MOST_NAMES = 1000;
const WEEK_SECONDS = 7 * DAY;

/** Adding, listing and deleting exclusions. */
@Injectable()
export class ExclusionManagementService {
  constructor(
    private readonly definitions: ExclusionService,
    private readonly exclusions: ExclusionManagementRepository,
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

  async list(caller: KnownCaller, query: ListExclusionsParams): Promise<ExclusionsDto> {
    const { org } = caller;
    const found = (await this.definitions.list(org.id))
      .filter(({ typeId }) => query.type_id === undefined || typeId === query.type_id)
      .filter((one) => query.active === undefined || this.presenter.isInForce(one, org) === query.active);
    const shown = found.slice(query.offset, query.offset + query.limit);
    return { exclusions: await this.presenter.present(caller, shown), ...pageOf(query, found.length) };
  }

  async test(orgId: number, { chips }: TestExclusionParams): Promise<ExclusionTestDto> {
    const [metrics, count, anomalies] = await Promise.all([
      this.exclusions.metricNames(orgId, chips, MOST_NAMES),
      this.definitions.countMetrics(orgId, chips),
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
      const present = await this.definitions.list(org.id, tx);
      const same = present.find((one) => keyOf(one) === keyOf(wanted));
      if (same) throw new ExclusionExistsError(same.id);
      if (present.length >= MAX_PER_ORG) throw new ExclusionLimitReachedError(MAX_PER_ORG);
      const made = await this.exclusions.insert(toRow(wanted), tx);
      await this.recordAct('exclusion.add', caller, made, wanted, tx);
      return made;
    });
    const exclusion = await this.taken(org.id, id, wanted.typeId);
    this.report('exclusion_added', caller, exclusion);
    const [record] = await this.presenter.present(caller, [exclusion]);
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
    const exclusion = await this.definitions.find(org.id, id);
    if (!exclusion) throw new ExclusionNotFoundError(id, field);
    const isDeleted = await this.transactions.run(async (tx) => {
      if (!(await this.exclusions.markDeleted(org.id, id, new Date(this.clock.now() * 1000), tx))) return false;
      await this.recordAct('exclusion.delete', caller, id, exclusion, tx);
      return true;
    });
    if (isDeleted) {
      await this.takeEffect(org.id, exclusion.typeId);
      this.report('exclusion_removed', caller, exclusion);
    }
    const [record] = await this.presenter.present(caller, [exclusion]);
    return { exclusion: Object.assign(record!, { active: false }), message: 'OK' };
  }

  private async taken(orgId: number, id: number, typeId: Exclusion['typeId']): Promise<Exclusion> {
    await this.takeEffect(orgId, typeId);
    const exclusion = await this.definitions.find(orgId, id);
    if (!exclusion) throw new ExclusionNotFoundError(id);
    return exclusion;
  }

  private async takeEffect(orgId: number, typeId: Exclusion['typeId']): Promise<void> {
    await this.directory.refresh();
    if (typeId === ANALYSIS_TYPE_ID) await this.effects.apply(orgId);
  }

  private async recordAct(
    action: 'exclusion.add' | 'exclusion.delete',
    caller: KnownCaller,
    id: number,
    exclusion: WantedExclusion,
    tx: Tx,
  ): Promise<void> {
    const { typeId, reason, fromTimestamp, untilTimestamp, recurrence } = exclusion;
    const chips = exclusion.chips.map(({ text }) => text);
    const definition = {
      type: exclusionType(typeId).name,
      chips,
      reason,
      from: fromTimestamp,
      until: untilTimestamp,
      recurrence_days: recurrence && [...recurrence.days],
      recurrence_start: recurrence?.start ?? null,
      recurrence_duration_seconds: recurrence?.durationSeconds ?? null,
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
      ...byCaller(caller),
    });
  }
}

const isOnMember = ({ subject }: Chip): boolean => subject.on === 'member' && subject.member !== 'name';

type WantedExclusion = Omit<Exclusion, 'id' | 'createdTimestamp'>;

function definitionOf(caller: KnownCaller, params: AddExclusionParams): WantedExclusion {
  const { recurrence_days: days = [], recurrence_start: start, recurrence_duration_seconds: durationSeconds } = params;
  return {
    orgId: caller.org.id,
    // The parameters are sound: exactly one of the two forms is there.
    typeId: typeIdOf(params)!,
    chips: params.chips,
    reason: params.reason,
    fromTimestamp: params.from ?? null,
    untilTimestamp: params.until ?? null,
    recurrence: days.length > 0 && start && durationSeconds ? { days, start, durationSeconds } : null,
    createdBy: caller.kind === 'user' ? caller.userId : null,
  };
}

function toRow({ chips, recurrence, ...row }: WantedExclusion): NewExclusion {
  return {
    ...row,
    chips: chips.map(({ text }) => text),
    recurrenceDays: recurrence && [...recurrence.days],
    recurrenceStart: recurrence?.start ?? null,
    recurrenceDurationSeconds: recurrence?.durationSeconds ?? null,
  };
}

/** Equal for exclusions of the same type, chips and times. */
function keyOf({ typeId, chips, fromTimestamp, untilTimestamp, recurrence }: WantedExclusion): string {
  return JSON.stringify([
    typeId,
    chips.map(({ text }) => text).sort(),
    fromTimestamp,
    untilTimestamp,
    [...(recurrence?.days ?? [])].sort(),
    recurrence?.start,
    recurrence?.durationSeconds,
  ]);
}
