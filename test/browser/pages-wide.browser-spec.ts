import { checkEveryPage } from '../support/every-page.js';

describe('every page of the console on a wide screen', () => {
  checkEveryPage(1440);
});
