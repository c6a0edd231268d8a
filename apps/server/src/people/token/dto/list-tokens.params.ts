import { BoolParam } from '../../../common/validation/param.decorators.js';

export class ListTokensParams {
  @BoolParam({
    default: false,
    description:
      'Shows tokens and the token of the chat whole, to administrators with a session; the audit log says so.',
  })
  reveal!: boolean;
}
