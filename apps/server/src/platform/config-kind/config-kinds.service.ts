import { Injectable } from '@nestjs/common';
import { type ConfigKind } from './config-kind.types.js';

/** The kinds that documents can describe; each area registers its own when it starts. */
@Injectable()
export class ConfigKinds {
  private readonly kinds = new Map<string, ConfigKind>();

  register(kind: ConfigKind): void {
    this.kinds.set(kind.kind, kind);
  }

  find(kind: string): ConfigKind | undefined {
    return this.kinds.get(kind);
  }

  /** By name. */
  all(): ConfigKind[] {
    return [...this.kinds.values()].sort((one, other) => one.kind.localeCompare(other.kind, 'en'));
  }
}
