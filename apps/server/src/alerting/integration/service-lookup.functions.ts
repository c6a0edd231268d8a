import { type ServiceDefinition } from './service-definition.types.js';
import { SERVICES } from './services.types.js';

const BY_ID: ReadonlyMap<string, ServiceDefinition> = new Map(
  SERVICES.map((service) => [service.id, service as ServiceDefinition]),
);

export const findService = (id: string): ServiceDefinition | undefined => BY_ID.get(id);
