import { RowIdParam, StrParam } from '../../../common/validation/param.decorators.js';
import { WindowPageParams } from '../../../common/window/window.params.js';

/** The largest id that the database can store. */
export class ListAuditEntriesParams extends WindowPageParams {
  @RowIdParam({ description: 'Only what this user did; also one that was removed since' })
  user_id?: number;

  @StrParam({ max: 100, description: 'Only actions with this prefix: `token.` finds `token.create`' })
  action?: string;

  @StrParam({ max: 100, description: 'Only acts on objects of this type' })
  object_type?: string;
}
