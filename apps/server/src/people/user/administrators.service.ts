import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { OrgService } from '../org/org.service.js';
import { LastAdminError } from './user.errors.js';
import { UserService } from './user.service.js';

/** Ensures that an organisation always has an administrator. */
@Injectable()
export class AdministratorsService {
  constructor(
    private readonly users: UserService,
    private readonly orgs: OrgService,
  ) {}

  /**
   * Call it before a user may lose administrator rights. It blocks other callers until `tx` ends: two administrators
   * cannot remove the rights of each other.
   * @throws LastAdminError if there is no other active administrator
   */
  async requireAnother(orgId: number, userId: number, tx: Tx): Promise<void> {
    if (await this.isLast(orgId, userId, tx)) throw new LastAdminError();
  }

  /** True if the user is the only active administrator; this stays true until `tx` ends. */
  async isLast(orgId: number, userId: number, tx: Tx): Promise<boolean> {
    await this.orgs.lock(orgId, tx);
    const ids = await this.users.activeAdministrators(orgId, tx);
    return ids.length === 1 && ids[0] === userId;
  }
}
