import { type ParamOptions, ParamProblem } from '../../common/validation/param-kind.js';
import { Param } from '../../common/validation/param.decorators.js';
import { BadChipsError, type Chip, parseChips, requireBroadChips } from './chips.js';

export interface ChipsOptions {
  /** Requires at least one restrictive chip: an exclusion or a quota removal must not cover everything by accident. */
  broadCheck?: boolean;
}

/** Chip list; the field holds `Chip[]`. */
export const ChipsParam = (options: ParamOptions<readonly Chip[]> & ChipsOptions = {}): PropertyDecorator =>
  Param<readonly Chip[]>(
    {
      shape: 'list',
      schema: () => ({
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 200 },
        minItems: 1,
        maxItems: 20,
        example: ['job:api', '-idle'],
      }),
      convert: (raw) => {
        if (typeof raw !== 'string' && !(Array.isArray(raw) && raw.every((chip) => typeof chip === 'string'))) {
          return ParamProblem.of('not_list', 'must be a list of chips');
        }
        try {
          const chips = parseChips(raw);
          if (options.broadCheck === true) requireBroadChips(chips);
          return chips;
        } catch (error) {
          if (error instanceof BadChipsError) return ParamProblem.of(error.code, error.says);
          throw error;
        }
      },
    },
    options,
  );
