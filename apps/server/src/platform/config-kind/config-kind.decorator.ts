import { Reflector } from '@nestjs/core';
import { type ConfigDescription } from './config-kind.types.js';

/** Class decorator of a `ConfigKind`: readable without an instance, for the schema of documents. */
export const DescribesConfig = Reflector.createDecorator<ConfigDescription>();

/** Undefined for a class that is not a kind. */
export const configDescriptionOf = (type: object): ConfigDescription | undefined =>
  Reflect.getMetadata(DescribesConfig.KEY, type) as ConfigDescription | undefined;
