import { BoolParam } from '../../../common/validation/param.decorators.js';

export class ListTokensParams {
  @BoolParam({
    default: false,
    description:
      'Shows tokens and the token of the chat in full, to administrators with a session; the audit log records it.',
  })
  reveal!: boolean;
}
