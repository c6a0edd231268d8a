import { StrParam } from '../../../common/validation/param.decorators.js';

export class BeginSsoParams {
  @StrParam({
    max: 2000,
    default: '/',
    description: 'Path of the console to open after the login; an invalid path leads to its first page.',
    example: '/anomaly/12',
  })
  return_to!: string;
}

/** Members of the redirect from a provider. The checks of the protocol read the others. */
export class FinishSsoParams {
  @StrParam({ required: true, max: 200, description: 'As it was sent to the provider.' })
  state!: string;

  @StrParam({ max: 8000, description: 'Code of the provider for this login.' })
  code?: string;

  @StrParam({ max: 200, description: 'Why the provider refused the login.' })
  error?: string;
}
