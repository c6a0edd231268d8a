import { type ErrorDetail } from '#libs/contracts';
import { type ParamKind, ParamProblem } from '../../../common/validation/param-kind.js';
import { Check } from '../../../common/validation/param-registry.js';
import {
  BoolParam,
  EmailParam,
  GivenPasswordParam,
  RowIdParam,
  ObjectParam,
  Param,
  StrParam,
} from '../../../common/validation/param.decorators.js';
import { CHAT_MEMBER_BOUNDS, PHONE_NUMBER } from '../../user/contact-fields.types.js';
import { OWN_FLAGS, type OwnFlag } from '../../user/user.types.js';

/** State of a user that the service observes; it cannot be set. */
const SERVICE_FLAG: ParamKind<never> = {
  schema: () => ({ type: 'boolean', description: 'Set by the service; cannot be sent.' }),
  convert: () => ParamProblem.of('read_only', 'is set by the service'),
};
const ServiceFlagParam = (): PropertyDecorator => Param(SERVICE_FLAG);

export class OwnFlagsParams implements Partial<Record<OwnFlag, boolean>> {
  @BoolParam()
  main_intro?: boolean;

  @BoolParam()
  alerts_intro?: boolean;

  @BoolParam()
  alerts_from_search?: boolean;

  @BoolParam()
  training_intro?: boolean;

  @BoolParam()
  seen_card_anomalies?: boolean;

  @BoolParam()
  seen_card_matches?: boolean;

  @BoolParam()
  seen_card_training?: boolean;

  @BoolParam()
  seen_card_all?: boolean;

  @ServiceFlagParam()
  alert_created?: never;

  @ServiceFlagParam()
  test_alert_sent?: never;

  @ServiceFlagParam()
  two_alerts_sent?: never;

  @ServiceFlagParam()
  pattern_trained?: never;
}

type FlagParams = Partial<Record<`onboarding_flag_${OwnFlag}`, boolean>>;

@Check<UpdateOwnAccountParams>((params) => contradictions(params))
export class UpdateOwnAccountParams implements FlagParams {
  @StrParam({ min: 0, max: 100, description: 'Name as others see it.' })
  name?: string;

  @EmailParam({ description: 'Needs `password`. Used once it is confirmed, or immediately if no mail can be sent.' })
  email?: string;

  @GivenPasswordParam({ description: 'The current password, as proof for a change of `email`.' })
  password?: string;

  @Param(PHONE_NUMBER, { nullable: true, description: 'E.164; empty = none.', example: '+4799999999' })
  phone_number?: string | null;

  @StrParam({
    ...CHAT_MEMBER_BOUNDS,
    nullable: true,
    description: 'Id of the user in the chat, such as U012AB3CD; empty = none.',
  })
  chat_member_id?: string | null;

  @BoolParam({ description: 'Alerts may be sent by e-mail.' })
  email_alerts?: boolean;

  @ObjectParam(() => OwnFlagsParams, { description: 'Steps of the guided start that were seen.' })
  onboarding_flags?: OwnFlagsParams;

  @BoolParam()
  onboarding_flag_main_intro?: boolean;

  @BoolParam()
  onboarding_flag_alerts_intro?: boolean;

  @BoolParam()
  onboarding_flag_alerts_from_search?: boolean;

  @BoolParam()
  onboarding_flag_training_intro?: boolean;

  @BoolParam()
  onboarding_flag_seen_card_anomalies?: boolean;

  @BoolParam()
  onboarding_flag_seen_card_matches?: boolean;

  @BoolParam()
  onboarding_flag_seen_card_training?: boolean;

  @BoolParam()
  onboarding_flag_seen_card_all?: boolean;

  @ServiceFlagParam()
  onboarding_flag_alert_created?: never;

  @ServiceFlagParam()
  onboarding_flag_test_alert_sent?: never;

  @ServiceFlagParam()
  onboarding_flag_two_alerts_sent?: never;

  @ServiceFlagParam()
  onboarding_flag_pattern_trained?: never;
}

/** The flags in a request, in either form. */
export function flagsOf(params: UpdateOwnAccountParams): Partial<Record<OwnFlag, boolean>> {
  const named: Partial<Record<OwnFlag, boolean>> = {};
  for (const flag of OWN_FLAGS) {
    const value = params[`onboarding_flag_${flag}`] ?? params.onboarding_flags?.[flag];
    if (value !== undefined) named[flag] = value;
  }
  return named;
}

/** True if a request contains anything besides flags. */
export function asksForMore(params: Partial<UpdateOwnAccountParams>): boolean {
  const { name, email, password, phone_number: phone, chat_member_id: member, email_alerts: alerts } = params;
  return [name, email, password, phone, member, alerts].some((value) => value !== undefined);
}

function contradictions(params: Partial<UpdateOwnAccountParams>): ErrorDetail[] {
  return OWN_FLAGS.flatMap((flag): ErrorDetail[] => {
    const field = `onboarding_flag_${flag}` as const;
    const [plain, nested] = [params[field], params.onboarding_flags?.[flag]];
    if (plain === undefined || nested === undefined || plain === nested) return [];
    const message = `${field} must not differ from onboarding_flags.${flag}`;
    return [{ field, code: 'duplicate_parameter', message }];
  });
}

export class ConfirmEmailParams {
  @StrParam({ required: true, max: 100, description: 'From the mail that was sent to the new address.' })
  token!: string;
}

export class DeleteUserParams {
  @GivenPasswordParam({ description: 'Your password; needed to remove your own account.' })
  password?: string;

  @RowIdParam({ description: 'Another user (administrators only); default: yourself.' })
  user_id?: number;

  @BoolParam({
    default: false,
    description: 'As the last administrator, also remove the organisation with everything that belongs to it.',
  })
  delete_org!: boolean;
}
