import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { afterCommit, type Tx } from '../../common/database/transactions.js';
import { type Chip } from '../../data/chips/chips.js';
import { ExclusionService } from '../../data/exclusion/exclusion.service.js';
import { ANALYSIS_TYPE_ID, type Exclusion, type WantedExclusion } from '../../data/exclusion/exclusion.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { ExclusionActsService } from './exclusion-acts.service.js';
import { ExclusionEffectsService } from './exclusion-effects.service.js';
import {
  ExclusionExistsError,
  ExclusionLimitReachedError,
  ExclusionNotFoundError,
  MemberChipError,
} from './exclusion-management.errors.js';
import { ExclusionManagementRepository, type ExclusionFields } from './exclusion-management.repository.js';

const MAX_PER_ORG = 500;

/**
 * Writes definitions of exclusions with their audit entries, within the transaction of the caller. After its commit
 * they apply in this process, are reported as events, and are applied to metrics.
 */
@Injectable()
export class ExclusionWritingService {
  constructor(
    private readonly definitions: ExclusionService,
    private readonly exclusions: ExclusionManagementRepository,
    private readonly effects: ExclusionEffectsService,
    private readonly orgs: OrgService,
    private readonly acts: ExclusionActsService,
    private readonly clock: Clock,
  ) {}

  /** @throws MemberChipError, ExclusionExistsError, ExclusionLimitReachedError */
  async create(caller: KnownCaller, wanted: WantedExclusion, tx: Tx): Promise<Exclusion> {
    const { id: orgId } = caller.org;
    assertSuitsType(wanted);
    await this.orgs.lock(orgId, tx);
    const present = await this.definitions.list(orgId, tx);
    assertIsNew(wanted, present);
    if (present.length >= MAX_PER_ORG) throw new ExclusionLimitReachedError(MAX_PER_ORG);
    const id = await this.exclusions.insert(orgId, { ...columnsOf(wanted), createdBy: wanted.createdBy }, tx);
    await this.acts.record(caller, null, wanted, id, tx);
    this.takeEffect(orgId, [wanted.typeId], tx);
    return this.get(orgId, id, tx);
  }

  /**
   * Changes nothing if the exclusion already has these values.
   * @throws MemberChipError, ExclusionExistsError, ExclusionNotFoundError
   */
  async update(
    caller: KnownCaller,
    id: number,
    wantedOf: (before: Exclusion) => WantedExclusion,
    tx: Tx,
  ): Promise<void> {
    const { id: orgId } = caller.org;
    await this.orgs.lock(orgId, tx);
    const present = await this.definitions.list(orgId, tx);
    const before = present.find((one) => one.id === id);
    if (!before) throw new ExclusionNotFoundError(id);
    const wanted = wantedOf(before);
    assertSuitsType(wanted);
    if (isSame(before, wanted)) return;
    assertIsNew(
      wanted,
      present.filter((one) => one.id !== id),
    );
    await this.exclusions.update(orgId, id, columnsOf(wanted), tx);
    await this.acts.record(caller, before, wanted, id, tx);
    this.takeEffect(orgId, [before.typeId, wanted.typeId], tx);
  }

  /** Changes nothing if the exclusion was already deleted. */
  async delete(caller: KnownCaller, exclusion: Exclusion, tx: Tx): Promise<void> {
    const { id: orgId } = caller.org;
    const at = new Date(this.clock.now() * 1000);
    if (!(await this.exclusions.markDeleted(orgId, exclusion.id, at, tx))) return;
    await this.acts.record(caller, exclusion, null, exclusion.id, tx);
    this.takeEffect(orgId, [exclusion.typeId], tx);
  }

  /** `ExclusionReapplicationService` repeats failed work later. */
  private takeEffect(orgId: number, touched: readonly Exclusion['typeId'][], tx: Tx): void {
    const typeId = touched.includes(ANALYSIS_TYPE_ID) ? ANALYSIS_TYPE_ID : touched[0]!;
    afterCommit(tx, () => this.effects.takeEffect(orgId, typeId));
  }

  private async get(orgId: number, id: number, tx: Tx): Promise<Exclusion> {
    const exclusion = await this.definitions.find(orgId, id, tx);
    if (!exclusion) throw new ExclusionNotFoundError(id);
    return exclusion;
  }
}

/** @throws MemberChipError */
function assertSuitsType({ typeId, chips }: WantedExclusion): void {
  if (typeId === ANALYSIS_TYPE_ID && chips.some(isOnMember)) throw new MemberChipError();
}

const isOnMember = ({ subject }: Chip): boolean => subject.on === 'member' && subject.member !== 'name';

/** @throws ExclusionExistsError */
function assertIsNew(wanted: WantedExclusion, others: readonly Exclusion[]): void {
  const same = others.find((one) => keyOf(one) === keyOf(wanted));
  if (same) throw new ExclusionExistsError(same.id);
}

function isSame(one: WantedExclusion, other: WantedExclusion): boolean {
  return JSON.stringify(columnsOf(one)) === JSON.stringify(columnsOf(other));
}

function columnsOf({ chips, recurrence, typeId, reason, fromTimestamp, untilTimestamp }: WantedExclusion) {
  return {
    typeId,
    reason,
    fromTimestamp,
    untilTimestamp,
    chips: chips.map(({ text }) => text),
    recurrenceDays: recurrence && [...recurrence.days],
    recurrenceStart: recurrence?.start ?? null,
    recurrenceDurationSeconds: recurrence?.durationSeconds ?? null,
  } satisfies ExclusionFields;
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
