import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type ErrorDetail } from '#libs/contracts';
import { type Chip } from '../../../data/chips/chips.js';
import { PageParams } from '../../../common/paging/page.params.js';
import { Check, exactlyOne } from '../../../common/validation/param-registry.js';
import {
  BoolParam,
  enumKind,
  EnumParam,
  FutureTimestampParam,
  IntParam,
  RowIdParam,
  ListParam,
  StrParam,
} from '../../../common/validation/param.decorators.js';
import { exclusionType } from '../../../data/exclusion/exclusion-types.functions.js';
import {
  EXCLUSION_CODES,
  type ExclusionCode,
  type ExclusionTypeId,
  type Weekday,
  WEEKDAYS,
} from '../../../data/exclusion/exclusion.types.js';

const TypeIdParam = (options: { default?: number; required?: boolean } = {}): PropertyDecorator =>
  IntParam({ min: 1, max: EXCLUSION_CODES.length, description: 'Number of the type', ...options });

export class ListExclusionsParams extends PageParams {
  @TypeIdParam()
  type_id?: ExclusionTypeId;

  @BoolParam({ description: 'In force now, or not' })
  active?: boolean;
}

export class TestExclusionParams {
  @ChipsParam({ required: true, broadCheck: true, description: 'Chips that must all hold' })
  chips!: readonly Chip[];

  @TypeIdParam({ default: 1 })
  type_id!: ExclusionTypeId;
}

const RECURRENCE_FIELDS = ['recurrence_days', 'recurrence_start', 'recurrence_duration_seconds'] as const;
const TIME_FIELDS = ['from', 'until', ...RECURRENCE_FIELDS] as const;

/** All members are optional: they have defaults, or keep their values. */
class ExclusionFieldsParams {
  @TypeIdParam()
  type_id?: ExclusionTypeId;

  @EnumParam(EXCLUSION_CODES, { description: 'The type by its code' })
  type?: ExclusionCode;

  @FutureTimestampParam({ nullable: true, description: 'Types 2 and 4: when it takes effect' })
  from?: number | null;

  @FutureTimestampParam({ nullable: true, description: 'Types 2 and 4: when its effect ends' })
  until?: number | null;

  @ListParam(enumKind(WEEKDAYS), { description: 'Types 2 and 4: days of the week on which it begins' })
  recurrence_days?: readonly Weekday[];

  @StrParam({
    pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
    says: 'must look like HH:MM',
    nullable: true,
    example: '22:00',
    description: "Time of the day at which it begins, in the organisation's zone",
  })
  recurrence_start?: string | null;

  @IntParam({ min: 300, max: 86_400, nullable: true, description: 'How long it lasts each time' })
  recurrence_duration_seconds?: number | null;
}

type Times = Pick<ExclusionFieldsParams, (typeof TIME_FIELDS)[number]>;

/**
 * The problems of the times: only types 2 and 4 may be limited in time, and the three fields of a recurrence must be
 * given together.
 */
export function timeProblems(
  typeId: ExclusionTypeId | undefined,
  times: Times,
  isMissing = (field: keyof Times): boolean => !hasValue(times[field]),
): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  if (typeId !== undefined && !exclusionType(typeId).schedulable) {
    for (const field of TIME_FIELDS.filter((name) => hasValue(times[name]))) {
      const message = `${field} is only for exclusions of the types learning and alerting`;
      problems.push({ field, code: 'unknown_parameter', message });
    }
  }
  if (RECURRENCE_FIELDS.some((name) => hasValue(times[name]))) {
    for (const field of RECURRENCE_FIELDS.filter(isMissing)) {
      problems.push({ field, code: 'required', message: `${field} is needed for a recurrence` });
    }
  }
  const { from, until } = times;
  if (from != null && until != null && from >= until) {
    const message = `until must be later than from (${String(from)}), got ${String(until)}`;
    problems.push({ field: 'until', code: 'from_not_before_until', message });
  }
  return problems;
}

const hasValue = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);

/** A member that was sent with an error is not also reported as missing. */
@Check<AddExclusionParams>((params, { given }) =>
  timeProblems(typeIdOf(params), params, (name) => !given.has(name) || params[name] === null),
)
@Check<AddExclusionParams>(exactlyOne('type_id', 'type'))
export class AddExclusionParams extends ExclusionFieldsParams {
  @ChipsParam({ required: true, broadCheck: true, description: 'Chips that must all hold' })
  chips!: readonly Chip[];

  @StrParam({ min: 0, default: '' })
  reason!: string;
}

@Check<UpdateExclusionParams>((_, { given }) =>
  given.has('type_id') && given.has('type')
    ? [{ field: 'type_id', code: 'exactly_one', message: 'only one of type_id, type may be given' }]
    : [],
)
export class UpdateExclusionParams extends ExclusionFieldsParams {
  @ChipsParam({ broadCheck: true, description: 'Chips that must all hold' })
  chips?: readonly Chip[];

  @StrParam({ min: 0 })
  reason?: string;
}

export class DeleteExclusionParams {
  @RowIdParam({ required: true })
  exclusion_id!: number;
}

/** The type, given in either form; undefined if neither is valid. */
export function typeIdOf({
  type_id,
  type,
}: Pick<ExclusionFieldsParams, 'type_id' | 'type'>): ExclusionTypeId | undefined {
  if (type_id !== undefined) return type_id;
  return type === undefined ? undefined : ((EXCLUSION_CODES.indexOf(type) + 1) as ExclusionTypeId);
}
