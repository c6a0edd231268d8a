import { type ParamKind } from '../../../common/validation/param-kind.js';
import { type ParamsClass } from '../../../common/validation/param-registry.js';
import { EnumParam, Param } from '../../../common/validation/param.decorators.js';
import { type ServiceDefinition } from '../service-definition.types.js';
import { type AnyField, type FieldValue } from '../service-fields.types.js';
import { SERVICES } from '../services.types.js';

/** Settings of a service as a document: omitted members have their defaults. */
export class IntegrationDocumentParams {
  /** Its id. */
  service!: string;
  [field: string]: FieldValue | null | undefined;
}

/** By the id of the service; services without settings have none. */
export const INTEGRATION_DOCUMENTS: ReadonlyMap<string, ParamsClass<IntegrationDocumentParams>> = new Map(
  SERVICES.map((service): ServiceDefinition => service as ServiceDefinition)
    .filter(({ orgFields }) => Object.keys(orgFields).length > 0)
    .map((service) => [service.id, documentOf(service)]),
);

function documentOf({ id, orgFields, description }: ServiceDefinition): ParamsClass<IntegrationDocumentParams> {
  class OfServiceParams extends IntegrationDocumentParams {}
  EnumParam([id], { required: true, description })(OfServiceParams.prototype, 'service');
  for (const [name, field] of Object.entries(orgFields)) {
    const options = { nullable: true, description: `${field.label}. ${field.help}` };
    Param(withDefault(field), options)(OfServiceParams.prototype, name);
  }
  return OfServiceParams;
}

/** Only documented: omitted fields stay unset, so that a changed default applies. */
function withDefault({ kind, default: standard }: AnyField): ParamKind<unknown> {
  if (standard === null) return kind;
  return { ...kind, schema: () => ({ ...kind.schema(), default: standard }) };
}
