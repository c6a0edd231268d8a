import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ALERT_PATHS } from '../../apps/server/src/alerting/channel/alert-paths.functions.js';

const FEATURES = resolve(import.meta.dirname, '../../apps/console/src/features');

describe('the path of a link in messages', () => {
  const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.routes.ts'),
  );
  const routes = files.flatMap((file) =>
    Array.from(readFileSync(join(FEATURES, file), 'utf8').matchAll(/path: '([^']+)'/g), ([, path]) => path!),
  );
  const patterns = routes.map((route) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`));

  it.each(Object.entries(ALERT_PATHS))('matches exactly one page of the console: %s', (_, path) => {
    const address = typeof path === 'string' ? path : path(7);
    expect(patterns.filter((pattern) => pattern.test(address))).toHaveLength(1);
  });
});
