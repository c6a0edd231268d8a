import { Injectable } from '@nestjs/common';

/**
 * The organisations that this process has deleted: it immediately stops accepting their cached credentials. Other
 * processes notice at their next query. Numbers of organisations are never used again.
 */
@Injectable()
export class DeletedOrgsService {
  private readonly ids = new Set<number>();

  /** To be called when the deletion is committed. */
  record(orgId: number): void {
    this.ids.add(orgId);
  }

  has(orgId: number): boolean {
    return this.ids.has(orgId);
  }
}
