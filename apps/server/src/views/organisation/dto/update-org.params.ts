import { type ErrorDetail } from '#libs/contracts';
import { type ParamKind, ParamProblem } from '../../../common/validation/param-kind.js';
import {
  intKind,
  IntParam,
  ListParam,
  Param,
  StrParam,
  TimezoneParam,
} from '../../../common/validation/param.decorators.js';
import { MAX_ROW_ID } from '../../../common/validation/param-kind.js';
import { DAY } from '../../../common/time.js';
import { CHAT_CHANNEL_BOUNDS, CHAT_TOKEN_BOUNDS, type RecipientList } from '../../../people/org/org.types.js';

const MINUTES_OF_A_WEEK = 10_080;
/** The maximum number of users of an organisation. */
const MAX_RECIPIENTS = 500;

const RESOLUTIONS = [10, 20, 30, 60, 300] as const;

const RESOLUTION: ParamKind<number> = {
  schema: () => ({ type: 'integer', enum: [...RESOLUTIONS] }),
  convert: (raw, context) => {
    const value = intKind().convert(raw, context);
    if (value instanceof ParamProblem || RESOLUTIONS.some((allowed) => allowed === value)) return value;
    return ParamProblem.of('not_one_of', `must be one of ${RESOLUTIONS.join(', ')}`);
  },
};

const RecipientsParam = (description: string): PropertyDecorator =>
  ListParam(intKind({ min: 1, max: MAX_ROW_ID }), { maxItems: MAX_RECIPIENTS, description });

/** The list that each parameter replaces. */
export const LIST_OF_PARAM = {
  email_users: 'email',
  admin_email_users: 'admin_email',
  chat_mention_users: 'chat_mentions',
  sms_users: 'sms',
  admin_sms_users: 'admin_sms',
} as const satisfies Record<string, RecipientList>;
export type RecipientsParamName = keyof typeof LIST_OF_PARAM;

/** The analysis variables whose bounds depend on each other. */
type LinkedVariables = Record<
  | 'retention_1_resolution_seconds'
  | 'retention_1_period_seconds'
  | 'retention_2_resolution_seconds'
  | 'retention_2_period_seconds'
  | 'default_analysis_period_2_seconds',
  number
>;

/** A rule between two analysis variables: `bound` limits `depends`. */
interface Rule {
  depends: keyof LinkedVariables;
  bound: keyof LinkedVariables;
  holds: (value: number, bound: number) => boolean;
  code: ErrorDetail['code'];
  /** The texts for the dependent variable, and for its bound. */
  says: readonly [ofDepends: string, ofBound: string];
}

const RULES: readonly Rule[] = [
  {
    depends: 'retention_2_resolution_seconds',
    bound: 'retention_1_resolution_seconds',
    holds: (value, bound) => value % bound === 0,
    code: 'mismatch',
    says: ['must be a multiple of', 'must be a divisor of'],
  },
  {
    depends: 'retention_2_period_seconds',
    bound: 'retention_1_period_seconds',
    holds: (value, bound) => value >= bound,
    code: 'out_of_range',
    says: ['must be at least', 'must be at most'],
  },
  {
    depends: 'default_analysis_period_2_seconds',
    bound: 'retention_1_period_seconds',
    holds: (value, bound) => value <= bound,
    code: 'out_of_range',
    says: ['must be at most', 'must be at least'],
  },
];

/**
 * Returns contradictions between analysis variables. Each problem names a given variable: the dependent one if both
 * were given. A given variable that is invalid itself is not compared with others.
 */
export function linkedProblems(
  variables: LinkedVariables,
  { isGiven, isFaulty }: Record<'isGiven' | 'isFaulty', (name: keyof LinkedVariables) => boolean>,
): ErrorDetail[] {
  return RULES.flatMap(({ depends, bound, holds, code, says }) => {
    const [value, limit] = [variables[depends], variables[bound]];
    if (isFaulty(depends) || isFaulty(bound) || holds(value, limit)) return [];
    if (isGiven(depends)) {
      return [
        { field: depends, code, message: `${depends} ${says[0]} ${bound} (${String(limit)}), got ${String(value)}` },
      ];
    }
    if (!isGiven(bound)) return [];
    return [{ field: bound, code, message: `${bound} ${says[1]} ${depends} (${String(value)}), got ${String(limit)}` }];
  });
}

/** Omitted members keep their values. */
export class UpdateOrgParams {
  @StrParam({ max: 100 })
  name?: string;

  @TimezoneParam()
  timezone?: string;

  @IntParam({
    min: 0,
    max: MINUTES_OF_A_WEEK,
    description: 'Mutes the alerts of watchers for this time from now on; 0 ends the mute. Needs `alert` or `admin`',
  })
  alerts_muted_minutes?: number;

  @StrParam({
    ...CHAT_TOKEN_BOUNDS,
    nullable: true,
    isSecret: true,
    description: 'Bot token of the chat; empty disconnects it, the masked value leaves it as it is',
  })
  chat_api_token?: string | null;

  @StrParam({ ...CHAT_CHANNEL_BOUNDS, example: '#ops' })
  default_chat_channel?: string;

  @RecipientsParam('Ids of users, replaces the whole list')
  email_users?: readonly number[];

  @RecipientsParam('Ids of users who get administrative alerts without named recipients, replaces the whole list')
  admin_email_users?: readonly number[];

  @RecipientsParam('Ids of users with a chat member id, replaces the whole list')
  chat_mention_users?: readonly number[];

  @RecipientsParam('Ids of users with a phone number, replaces the whole list')
  sms_users?: readonly number[];

  @RecipientsParam(
    'Ids of users with a phone number who get administrative alerts without named recipients, replaces the whole list',
  )
  admin_sms_users?: readonly number[];

  @Param(RESOLUTION, { description: 'Length of the slots in which new points are kept' })
  retention_1_resolution_seconds?: number;

  @IntParam({ min: DAY, max: 30 * DAY, description: 'How long these slots are kept' })
  retention_1_period_seconds?: number;

  @IntParam({
    min: 60,
    max: 3600,
    description: 'Length of the slots in which older points are kept; a multiple of retention_1_resolution_seconds',
  })
  retention_2_resolution_seconds?: number;

  @IntParam({
    min: DAY,
    max: 157_680_000,
    description: 'How long data is kept at all; at least retention_1_period_seconds',
  })
  retention_2_period_seconds?: number;

  @IntParam({ min: 10, max: 3600, description: 'Interval of the points of a metric before one has been observed' })
  default_data_frequency_seconds?: number;

  @IntParam({ min: 21_600, max: 2 * DAY })
  default_analysis_period_1_seconds?: number;

  @IntParam({ min: 2 * DAY, max: 14 * DAY, description: 'At most retention_1_period_seconds' })
  default_analysis_period_2_seconds?: number;

  @IntParam({ min: 14 * DAY, max: 90 * DAY })
  long_term_pattern_length_seconds?: number;

  @IntParam({
    min: 1,
    max: 10_000_000,
    nullable: true,
    description: 'Most metrics that may count against the quota; empty = no cap. Set by the plan where there is one',
  })
  metric_limit?: number | null;
}

/** The only member that callers with the permission `alert` may send. */
export const MUTING_PARAM = 'alerts_muted_minutes';
