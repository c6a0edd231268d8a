import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProduct, untilDemoIsReady, until } from './product.js';

/** Maximum age of a template. The demo must catch up on the time since then, which takes longer for an older one. */
const GOOD_FOR_MS = 10 * 60_000;
const CREATED_WITHIN_MS = 400_000;

/**
 * Data folder of a product with the demo shop that was stopped cleanly, for copies. Creating the shop takes two starts:
 * the first test file that needs it creates it, and other workers wait.
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
        // Written after a failure too: waiting workers then create one themselves.
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
