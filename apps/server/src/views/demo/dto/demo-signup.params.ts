import { BoolParam, EmailParam, RowIdParam, StrParam } from '../../../common/validation/param.decorators.js';

export class DemoSignupParams {
  @RowIdParam({ description: 'One of GET /signup/demo-orgs; default the first' })
  demo_org_id?: number;

  @StrParam({ min: 0, max: 100, default: '', description: 'Display name of the visitor' })
  user_name!: string;

  @EmailParam({ description: 'Kept only with consent' })
  email?: string;

  @BoolParam({ default: false, description: 'The operator may keep the address and get in touch' })
  consent!: boolean;
}
