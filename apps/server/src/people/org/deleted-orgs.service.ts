import { Injectable } from '@nestjs/common';

/**
 * Organisations that this process has deleted: it immediately stops accepting their cached credentials. Other processes
 * notice at their next query. Ids of organisations are never reused.
 */
@Injectable()
export class DeletedOrgsService {
  private readonly ids = new Set<number>();

  /** Call it when the deletion is committed. */
  record(orgId: number): void {
    this.ids.add(orgId);
  }

  has(orgId: number): boolean {
    return this.ids.has(orgId);
  }
}
