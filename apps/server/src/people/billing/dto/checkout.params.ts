import { EnumParam, StrParam } from '../../../common/validation/param.decorators.js';

const RETURN_URL = {
  max: 2000,
  description: 'Where the browser returns to: an address of the console. Default: its billing page.',
};

export const CHECKOUT_RESULTS = ['success', 'cancel'] as const;
export type CheckoutResult = (typeof CHECKOUT_RESULTS)[number];

export class CheckoutSessionParams {
  @StrParam({ required: true, max: 50, description: 'One of the plans of GET /billing/history' })
  plan_id!: string;

  @StrParam(RETURN_URL)
  return_url?: string;
}

export class PortalSessionParams {
  @StrParam(RETURN_URL)
  return_url?: string;
}

export class CheckoutReturnParams {
  @StrParam({ required: true, isSecret: true, description: 'As returned by GET /billing/getcheckoutsession' })
  checkout_session_id!: string;

  @EnumParam(CHECKOUT_RESULTS, {
    default: 'success',
    description: 'What the browser saw; only the state at the provider counts',
  })
  result!: CheckoutResult;
}
