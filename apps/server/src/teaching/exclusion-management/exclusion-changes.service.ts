import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { ExclusionPresenterService } from '../../data/exclusion/exclusion-presenter.service.js';
import { ExclusionService } from '../../data/exclusion/exclusion.service.js';
import { type Exclusion, type WantedExclusion } from '../../data/exclusion/exclusion.types.js';
import { type ExclusionAnswerDto, type ExclusionWithMetricsDto } from './dto/exclusion-answers.dto.js';
import {
  type AddExclusionParams,
  timeProblems,
  typeIdOf,
  type UpdateExclusionParams,
} from './dto/exclusion-management.params.js';
import { ExclusionNotFoundError } from './exclusion-management.errors.js';
import { ExclusionReaderService } from './exclusion-reader.service.js';
import { ExclusionWritingService } from './exclusion-writing.service.js';

/** Adds, changes and deletes exclusions, and composes the answers. */
@Injectable()
export class ExclusionChangesService {
  constructor(
    private readonly definitions: ExclusionService,
    private readonly writing: ExclusionWritingService,
    private readonly reader: ExclusionReaderService,
    private readonly presenter: ExclusionPresenterService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws MemberChipError, ExclusionExistsError, ExclusionLimitReachedError */
  async add(caller: KnownCaller, params: AddExclusionParams): Promise<ExclusionWithMetricsDto> {
    const wanted = definitionOf(caller, params);
    const exclusion = await this.transactions.run((tx) => this.writing.create(caller, wanted, tx));
    return Object.assign(await this.reader.describe(caller, exclusion), { message: 'OK' });
  }

  /** Changes only the given members. @throws ExclusionNotFoundError, MemberChipError, ExclusionExistsError */
  async update(caller: KnownCaller, id: number, params: UpdateExclusionParams): Promise<ExclusionWithMetricsDto> {
    await this.transactions.run((tx) => this.writing.update(caller, id, (before) => mergedWith(before, params), tx));
    return Object.assign(await this.reader.get(caller, id), { message: 'OK' });
  }

  /**
   * Deleting an exclusion again returns the same answer.
   * @param field the parameter that named it, if it was not the path
   * @throws ExclusionNotFoundError
   */
  async delete(caller: KnownCaller, id: number, field?: string): Promise<ExclusionAnswerDto> {
    const exclusion = await this.definitions.find(caller.org.id, id);
    if (!exclusion) throw new ExclusionNotFoundError(id, field);
    await this.transactions.run((tx) => this.writing.delete(caller, exclusion, tx));
    const [record] = await this.presenter.present(caller, [exclusion]);
    return { exclusion: Object.assign(record!, { active: false }), message: 'OK' };
  }
}

/** The definition in the parameters of an addition. */
export function definitionOf(caller: KnownCaller, params: AddExclusionParams): WantedExclusion {
  return {
    orgId: caller.org.id,
    // The parameters are valid, so exactly one of the two forms is present.
    typeId: typeIdOf(params)!,
    chips: params.chips,
    reason: params.reason,
    fromTimestamp: params.from ?? null,
    untilTimestamp: params.until ?? null,
    recurrence: recurrenceOf(params),
    createdBy: caller.kind === 'user' ? caller.userId : null,
  };
}

type RecurrenceParams = Pick<
  UpdateExclusionParams,
  'recurrence_days' | 'recurrence_start' | 'recurrence_duration_seconds'
>;

function recurrenceOf({
  recurrence_days: days,
  recurrence_start: start,
  recurrence_duration_seconds: durationSeconds,
}: RecurrenceParams): WantedExclusion['recurrence'] {
  return days && days.length > 0 && start && durationSeconds ? { days, start, durationSeconds } : null;
}

/** @throws ValidationFailedError if the given members contradict the others */
function mergedWith(before: Exclusion, params: UpdateExclusionParams): WantedExclusion {
  const times = {
    from: params.from === undefined ? before.fromTimestamp : params.from,
    until: params.until === undefined ? before.untilTimestamp : params.until,
    ...mergedRecurrence(before, params),
  };
  const typeId = typeIdOf(params) ?? before.typeId;
  const problems = timeProblems(typeId, times);
  if (problems.length > 0) throw new ValidationFailedError(problems);
  return {
    orgId: before.orgId,
    typeId,
    chips: params.chips ?? before.chips,
    reason: params.reason ?? before.reason,
    fromTimestamp: times.from,
    untilTimestamp: times.until,
    recurrence: recurrenceOf(times),
    createdBy: before.createdBy,
  };
}

/** Clearing one of the three fields without giving another one ends the recurrence. */
function mergedRecurrence({ recurrence }: Exclusion, params: RecurrenceParams): RecurrenceParams {
  const given = [params.recurrence_days, params.recurrence_start, params.recurrence_duration_seconds];
  const isCleared = given.some((value) => value === null || (Array.isArray(value) && value.length === 0));
  const isGiven = given.some((value) => value != null && !(Array.isArray(value) && value.length === 0));
  if (isCleared && !isGiven) return { recurrence_days: [], recurrence_start: null, recurrence_duration_seconds: null };
  return {
    recurrence_days: params.recurrence_days ?? recurrence?.days ?? [],
    recurrence_start: params.recurrence_start === undefined ? (recurrence?.start ?? null) : params.recurrence_start,
    recurrence_duration_seconds:
      params.recurrence_duration_seconds === undefined
        ? (recurrence?.durationSeconds ?? null)
        : params.recurrence_duration_seconds,
  };
}
