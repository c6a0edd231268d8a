import { sizesOf } from './backup.js';

const aFile = (path: string, bytes: number) => ({ path, bytes, sha256: '' });

describe('the sizes of a backup', () => {
  it('are whole megabytes, and add up', () => {
    const files = [
      aFile('postgres/cluster/base/1/2', 1_234_000_001),
      aFile('postgres/cluster/pg_wal/000000010000000000000001', 16_777_216),
    ];
    const sizeOf = (some: readonly { bytes: number }[]): number => some.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(sizesOf({ files }, sizeOf)).toBe('1,251 MB (1,235 MB of files and 17 MB of changes meanwhile)');
  });
});
