import { ApiProperty } from '@nestjs/swagger';
import { EnumParam, StrParam } from '../../../common/validation/param.decorators.js';

const RETURN_URL = {
  max: 2000,
  description: 'Where the browser returns to: an address of the console. Default: its billing page.',
};

export const CHECKOUT_RESULTS = ['success', 'cancel'] as const;
export type CheckoutResult = (typeof CHECKOUT_RESULTS)[number];

export class CheckoutSessionQuery {
  @StrParam({ required: true, max: 50, description: 'One of the plans of GET /billing/history' })
  plan_id!: string;

  @StrParam(RETURN_URL)
  return_url?: string;
}

export class PortalSessionQuery {
  @StrParam(RETURN_URL)
  return_url?: string;
}

export class CheckoutReturnQuery {
  @StrParam({ required: true, description: 'As GET /billing/getcheckoutsession answered it' })
  checkout_session_id!: string;

  @EnumParam(CHECKOUT_RESULTS, {
    default: 'success',
    description: 'What the browser saw; only the provider is believed',
  })
  result!: CheckoutResult;
}

export class CheckoutSessionDto {
  @ApiProperty({ type: String })
  session_id!: string;

  @ApiProperty({ type: String, description: 'Page of the payment provider' })
  url!: string;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  expires_timestamp!: number;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class PortalSessionDto {
  @ApiProperty({ type: String, description: 'Page of the payment provider, for a few minutes' })
  url!: string;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class CheckoutReturnDto {
  @ApiProperty({ enum: CHECKOUT_RESULTS, description: 'What the payment provider says of the checkout' })
  result!: CheckoutResult;

  @ApiProperty({ type: String, nullable: true, description: 'The plan of the organisation now' })
  plan_id!: string | null;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class WebhookAnswerDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
