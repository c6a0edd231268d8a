import { ApiProperty } from '@nestjs/swagger';
import { CHECKOUT_RESULTS, type CheckoutResult } from './checkout.params.js';

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

  @ApiProperty({ type: 'integer', description: 'Unix seconds; the page must have been opened by then' })
  expires_timestamp!: number;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class CheckoutReturnDto {
  @ApiProperty({ enum: CHECKOUT_RESULTS, description: 'What the payment provider reports about the checkout' })
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
