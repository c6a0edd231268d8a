import { isMasked } from '../../../common/secrets/secrets.js';
import { type ParamKind } from '../../../common/validation/param-kind.js';
import { enumKind, listKind, Param, StrParam } from '../../../common/validation/param.decorators.js';
import { SERVICE_CATEGORIES, type ServiceCategory } from '../service-definition.types.js';
import { type AnyField, type Fields, type FieldValue } from '../service-fields.types.js';
import { SERVICES } from '../services.types.js';

export class ListServicesParams {
  @Param(listKind(enumKind(SERVICE_CATEGORIES)), { description: 'Only services of these categories' })
  category?: readonly ServiceCategory[];
}

/** Fields as parameters. A field that the service does not have is refused later, when the service is known. */
class FieldParams {
  [name: string]: FieldValue | null | undefined;
}

/** Fields of all services, generated from their definitions. */
export class OrgPropertiesParams extends FieldParams {}

/** The fields that each user has. */
export class UserPropertiesParams extends FieldParams {}

declareFields(OrgPropertiesParams, (service) => service.orgFields);
declareFields(UserPropertiesParams, (service) => service.userFields);

export class TestServiceParams {
  @StrParam({
    max: 254,
    description:
      'Id of a user, a channel, or an address or number of one of the users; default: the caller, or the default channel',
  })
  recipient?: string;
}

/** A name that several services use means the same in all of them. */
function declareFields(
  type: new () => FieldParams,
  fieldsOf: (service: { orgFields: Fields; userFields: Fields }) => Fields,
): void {
  const fields = new Map<string, { field: AnyField; services: string[] }>();
  for (const service of SERVICES) {
    for (const [name, field] of Object.entries(fieldsOf(service))) {
      const known = fields.get(name) ?? { field, services: [] };
      known.services.push(service.id);
      fields.set(name, known);
    }
  }
  for (const [name, { field, services }] of fields) {
    const description = `${field.label}, of ${services.join(', ')}. ${field.help}`;
    const isSecret = field.type === 'secret';
    const kind = isSecret ? orMasked(field.kind) : field.kind;
    Param(kind, { nullable: true, isSecret, description })(type.prototype as object, name);
  }
}

/** The mask that answers show instead of a secret may be sent back: the secret stays unchanged, whatever its format. */
function orMasked(kind: ParamKind<unknown>): ParamKind<unknown> {
  return {
    ...kind,
    convert: (raw, context) => (typeof raw === 'string' && isMasked(raw) ? raw : kind.convert(raw, context)),
  };
}
