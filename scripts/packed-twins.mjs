import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(?:html|js|css|json|svg)$/;

/**
 * Writes a `.br` and a `.gz` beside each text file, so that the server never compresses one while a browser waits.
 * @param {string} folder
 * @param {readonly string[]} names files in the folder; those that are not text are ignored
 * @param {{ brotliQuality: number }} options up to 11: each step is smaller and takes longer
 */
export async function writePackedTwins(folder, names, { brotliQuality }) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } };
  await Promise.all(
    names
      .filter((name) => TEXT.test(name))
      .map(async (name) => {
        const bytes = await readFile(join(folder, name));
        await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, brotli));
        await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
      }),
  );
}
