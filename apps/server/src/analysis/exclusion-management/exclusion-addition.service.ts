import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Chip } from '../../data/chips/chips.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { type ExclusionAddedDto, MOST_NAMES } from './dto/exclusion-answers.dto.js';
import { type AddExclusionParams, typeIdOf } from './dto/exclusion-management.params.js';
import { ExclusionService } from '../../data/exclusion/exclusion.service.js';
import { ExclusionActs } from './exclusion-acts.service.js';
import { ExclusionEffects } from './exclusion-effects.service.js';
import { ExclusionPresenter } from '../../data/exclusion/exclusion-presenter.service.js';
import {
  ExclusionExistsError,
  ExclusionLimitReachedError,
  ExclusionNotFoundError,
  MemberChipError,
} from './exclusion-management.errors.js';
import { ExclusionManagementRepository, type NewExclusion } from './exclusion-management.repository.js';
import { ANALYSIS_TYPE_ID, type Exclusion, type WantedExclusion } from '../../data/exclusion/exclusion.types.js';

const MAX_PER_ORG = 500;

/** Adds exclusions. */
@Injectable()
export class ExclusionAddition {
  constructor(
    private readonly definitions: ExclusionService,
    private readonly exclusions: ExclusionManagementRepository,
    private readonly presenter: ExclusionPresenter,
    private readonly effects: ExclusionEffects,
    private readonly orgs: OrgService,
    private readonly acts: ExclusionActs,
    private readonly transactions: Transactions,
  ) {}

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
      await this.acts.record(caller, 'exclusion.add', made, wanted, tx);
      return made;
    });
    const exclusion = await this.taken(org.id, id, wanted.typeId);
    this.acts.report(caller, 'exclusion_added', exclusion);
    const [record] = await this.presenter.present(caller, [exclusion]);
    return {
      exclusion: record!,
      metrics: await this.exclusions.metricNames(org.id, exclusion.chips, MOST_NAMES),
      metrics_count: record!.metrics_count,
      message: 'OK',
    };
  }

  private async taken(orgId: number, id: number, typeId: Exclusion['typeId']): Promise<Exclusion> {
    await this.effects.takeEffect(orgId, typeId);
    const exclusion = await this.definitions.find(orgId, id);
    if (!exclusion) throw new ExclusionNotFoundError(id);
    return exclusion;
  }
}

const isOnMember = ({ subject }: Chip): boolean => subject.on === 'member' && subject.member !== 'name';

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
