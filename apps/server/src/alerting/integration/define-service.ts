import { type AlertChannel } from '#libs/alerting';
import { type ServiceDefinition } from './service-definition.types.js';
import { type Fields } from './service-fields.types.js';

/** Keeps the types of id and fields. */
export const defineService = <const Id extends string, const F extends Fields>(
  definition: ServiceDefinition<Id, F>,
): ServiceDefinition<Id, F> => definition;

/** A service that alerts are sent by. */
export const defineChannelService = <const Id extends AlertChannel, const F extends Fields>(
  definition: Omit<ServiceDefinition<Id, F>, 'category'>,
): ServiceDefinition<Id, F> => ({ ...definition, category: 'alert' });
