import { createTestDatabase } from '../../../../../test/support/database.js';
import { StateElsewhereError } from './detection.errors.js';
import { aPage, pageBytesContract } from './page-bytes.contract.js';
import { PageBytesInRows } from './page-bytes-in-rows.js';

describe('PageBytesInRows', () => {
  pageBytesContract(async () => {
    const database = await createTestDatabase();
    return {
      dataSource: database.dataSource,
      open: async () => new PageBytesInRows(),
      dispose: () => database.drop(),
    };
  });

  it('rejects rows that refer to an object', async () => {
    const { bytes, ...page } = aPage(0, 1, 1);
    const named = new PageBytesInRows().read(0, [{ ...page, bytes, object: '0-1-abc' }]);
    await expect(named).rejects.toThrow(StateElsewhereError);
    await expect(named).rejects.toThrow(/DETECTION_STATE_URL is not set.*move=postgresql/);
  });
});
