import { checkEveryPage } from '../support/every-page.js';

describe('every page of the console, light', () => {
  checkEveryPage('light');
});
