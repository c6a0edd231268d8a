import { type ParamKind, ParamProblem } from '../../../common/validation/param-kind.js';
import { BoolParam, EnumParam, Param } from '../../../common/validation/param.decorators.js';
import { LONGEST_DOCUMENT } from '../read-document.js';

const CONFIG_FORMATS = ['yaml', 'json'] as const;
export type ConfigFormat = (typeof CONFIG_FORMATS)[number];

/** Not normalised, not even leading blank lines: problems refer to line numbers. */
const DOCUMENT: ParamKind<string> = {
  schema: () => ({ type: 'string', minLength: 1, maxLength: LONGEST_DOCUMENT }),
  convert: (raw) => {
    if (typeof raw !== 'string') return ParamProblem.of('bad_format', 'must be a string');
    if (raw.length <= LONGEST_DOCUMENT) return raw;
    return ParamProblem.of('too_long', `must have at most ${String(LONGEST_DOCUMENT)} characters`);
  },
};

export class ExportConfigParams {
  @EnumParam(CONFIG_FORMATS, { default: 'yaml' })
  format!: ConfigFormat;
}

export class ApplyConfigParams {
  @Param(DOCUMENT, {
    required: true,
    // It contains secrets.
    bodyOnly: true,
    description: 'YAML or JSON: objects with `kind` and the members of the calls that create them.',
    example: 'kind: tuning\nname: web\nchips: [web-*]\nsensitivity: 0.5',
  })
  document!: string;

  @BoolParam({ default: false, description: 'Only lists what would change.' })
  dry_run!: boolean;

  @BoolParam({
    default: false,
    description: 'Removes what the document does not name, of the kinds that it holds.',
  })
  prune!: boolean;
}
