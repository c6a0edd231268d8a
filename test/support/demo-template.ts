import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProduct, untilDemoIsReady, until } from './product.js';

/** The demo goes on living while it lies there; one that is older would have to catch up too much. */
const GOOD_FOR_MS = 10 * 60_000;
const CREATED_WITHIN_MS = 400_000;

/**
 * Data folder of a product with the demo shop that was stopped cleanly, for copies. Making the shop costs two starts: the
 * first test file of a run that asks makes it, those of other workers wait for it.
 */
export async function demoTemplate(): Promise<string> {
  const templates = process.env.PLUMBLINE_TEST_TEMPLATES;
  if (templates === undefined) throw new Error('PLUMBLINE_TEST_TEMPLATES is set by test/support/global-setup.mjs');
  for (let version = 1; ; version++) {
    const folder = join(templates, `demo-${String(version)}`);
    const dataFolder = join(folder, 'data');
    const readyFile = join(folder, 'made-at');
    if (await isFirst(folder)) {
      let createdAt = 0;
      try {
        await make(dataFolder);
        createdAt = Date.now();
      } finally {
        // Also where it failed: those who wait make one themselves.
        await writeFile(`${readyFile}.new`, String(createdAt));
        await rename(`${readyFile}.new`, readyFile);
      }
    }
    const createdAt = await until('the data of the demo shop', () => readFile(readyFile, 'utf8'), {
      timeoutMs: CREATED_WITHIN_MS,
    });
    if (Date.now() - Number(createdAt) < GOOD_FOR_MS) return dataFolder;
  }
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function make(dataFolder: string): Promise<void> {
  const product = await startProduct({ PLUMBLINE_DEMO: 'on' });
  try {
    await untilDemoIsReady(product);
    await product.stop();
    await rename(product.dataFolder, dataFolder);
  } catch (error) {
    await product.dispose();
    throw error;
  }
}
