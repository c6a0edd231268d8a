import { Check } from '../../../common/validation/param-registry.js';
import { JsonObjectParam, StrParam } from '../../../common/validation/param.decorators.js';

const MAX_CONTEXT_BYTES = 10_240;

@Check<ReportIssueParams>(({ context }) =>
  context === undefined || Buffer.byteLength(JSON.stringify(context)) <= MAX_CONTEXT_BYTES
    ? []
    : [
        {
          field: 'context',
          code: 'too_long',
          message: `context must have at most ${String(MAX_CONTEXT_BYTES)} bytes as JSON`,
        },
      ],
)
export class ReportIssueParams {
  @StrParam({ required: true, max: 5000, multiline: true, description: 'What is wrong, in your words.' })
  message!: string;

  @StrParam({ min: 0, max: 2000, default: '', description: 'Page that it is about.' })
  url!: string;

  @JsonObjectParam({ default: {}, description: 'What may help to find the cause; at most 10 kB.' })
  context!: Record<string, unknown>;
}
