import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class DemoOffError extends AppError {
  constructor() {
    super('not_configured', 'This installation shows no demo to visitors.');
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
    super('limit_reached', `The demo has ${String(limit)} visitors, more it cannot take today; try again tomorrow.`);
  }
}
