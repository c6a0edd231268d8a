import { Injectable } from '@nestjs/common';
import { configDescriptionOf } from './config-kind.decorator.js';
import { type ConfigDescription, type ConfigKind } from './config-kind.types.js';

export interface RegisteredKind {
  description: ConfigDescription;
  acts: ConfigKind;
}

/** The kinds that documents can describe; each area registers its own when it starts. */
@Injectable()
export class ConfigKindsService {
  private readonly kinds = new Map<string, RegisteredKind>();

  register(acts: ConfigKind): void {
    const description = configDescriptionOf(acts.constructor);
    if (!description) throw new Error(`${acts.constructor.name} lacks @DescribesConfig`);
    this.kinds.set(description.kind, { description, acts });
  }

  find(kind: string): RegisteredKind | undefined {
    return this.kinds.get(kind);
  }

  /** By name. */
  all(): RegisteredKind[] {
    return [...this.kinds.values()].sort((one, other) =>
      one.description.kind.localeCompare(other.description.kind, 'en'),
    );
  }
}
