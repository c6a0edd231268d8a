import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class DemoOffError extends AppError {
  constructor() {
    super('not_configured', 'The demo for visitors is disabled on this installation.');
  }
}

export class DemoOrgNotFoundError extends NotFoundError {
  constructor(id: number) {
    const message = `There is no demo organisation ${String(id)}; see GET /signup/demo-orgs.`;
    super(message, [{ field: 'demo_org_id', code: 'not_one_of', message }]);
  }
}

export class DemoFullError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `The demo has ${String(limit)} visitors today, which is the limit; try again tomorrow.`);
  }
}
