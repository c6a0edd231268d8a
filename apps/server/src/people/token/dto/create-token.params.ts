import { PERMISSION_NAMES, type PermissionFlags, toBits } from '#libs/contracts';
import { type ParamKind, ParamProblem } from '../../../common/validation/param-kind.js';
import { Check, type ParamsCheck } from '../../../common/validation/param-registry.js';
import {
  BoolParam,
  enumKind,
  FutureTimestampParam,
  listKind,
  objectKind,
  Param,
  StrParam,
} from '../../../common/validation/param.decorators.js';

class PermissionFlagsParams implements Partial<PermissionFlags> {
  @BoolParam()
  read?: boolean;

  @BoolParam()
  write?: boolean;

  @BoolParam()
  alert?: boolean;

  @BoolParam()
  ingest?: boolean;

  @BoolParam()
  admin?: boolean;
}

const flags = objectKind(() => PermissionFlagsParams);
const names = listKind(enumKind(PERMISSION_NAMES));

/** Five booleans, or a list of the names; the value is the permission bits. */
const PERMISSIONS: ParamKind<number> = {
  shape: 'list or object',
  schema: flags.schema,
  convert: (raw, context) => {
    const isList = typeof raw === 'string' || Array.isArray(raw);
    const given = isList ? names.convert(raw, context) : flags.convert(raw, context);
    if (given instanceof ParamProblem) return given;
    const bits = toBits(Array.isArray(given) ? Object.fromEntries(given.map((name) => [name, true])) : given);
    return bits === 0 ? ParamProblem.of('too_few', 'must have at least one permission') : bits;
  },
};

const liesInFuture: ParamsCheck<{ valid_until?: number | null }> = ({ valid_until }, { now }) =>
  valid_until == null || valid_until > now
    ? []
    : [
        {
          field: 'valid_until',
          code: 'out_of_range',
          message: `valid_until must be Unix seconds in the future, got ${String(valid_until)}`,
        },
      ];

@Check<CreateTokenParams>(liesInFuture)
export class CreateTokenParams {
  @StrParam({ required: true, max: 100, description: 'What the token is for.', example: 'prometheus prod' })
  name!: string;

  @Param(PERMISSIONS, {
    required: true,
    description: 'Object of the five booleans, or list of their names; at least one.',
    example: { read: true, ingest: true },
  })
  permissions!: number;

  @FutureTimestampParam({ nullable: true, description: 'Unix seconds; null = no expiry.' })
  valid_until?: number | null;
}

@Check<UpdateTokenParams>(liesInFuture)
export class UpdateTokenParams {
  @StrParam({ max: 100, description: 'What the token is for.' })
  name?: string;

  @Param(PERMISSIONS, {
    description: 'Object of the five booleans, or list of their names: at least one, and none that it does not have.',
    example: { ingest: true },
  })
  permissions?: number;

  @FutureTimestampParam({ nullable: true, description: 'Unix seconds; null = no expiry.' })
  valid_until?: number | null;
}
