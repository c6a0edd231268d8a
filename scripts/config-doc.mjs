/** Writes docs/configuration.md from the configuration classes of the built server. */
import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { configurationDocument } from '../dist/apps/server/src/common/config/config-doc.js';
import { CONFIG_CLASSES } from '../dist/apps/server/src/config.registry.js';

await writeFile(new URL('../docs/configuration.md', import.meta.url), configurationDocument(CONFIG_CLASSES));
console.log('docs/configuration.md is written');
