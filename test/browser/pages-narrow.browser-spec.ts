import { checkEveryPage } from '../support/every-page.js';

describe('every page of the console on a phone', () => {
  checkEveryPage(380);
});
