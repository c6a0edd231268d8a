import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ServerConfig, type Role } from './common/config/server.config.js';
import { firstLines, startBanner } from './start-banner.js';

const lineOf = (...roles: Role[]) => {
  const config = new ServerConfig();
  config.complete(new Set());
  config.roles = roles;
  return startBanner(config, null)[1];
};

const FIRST = {
  orgId: 1,
  orgName: 'Demo shop',
  isDemo: true,
  adminEmail: 'admin@plumbline.local',
  adminPassword: 'secret',
  isPasswordGenerated: true,
  readToken: 'pl_read',
  ingestToken: 'pl_ingest',
};

describe('the start banner', () => {
  it('equals the lines in the README, with the tokens filled in', async () => {
    const config = new ServerConfig();
    config.complete(new Set());
    const { publicUrl, ingestUrl } = config;
    const readme = await readFile(resolve(import.meta.dirname, '../../../README.md'), 'utf8');
    expect(readme).toContain(
      `\n\n${firstLines({ publicUrl, ingestUrl, isDemo: true, readToken: '$READ', ingestToken: '$INGEST' }).join('\n')}\n\`\`\`\n`,
    );
    expect(startBanner(config, { ...FIRST, isDemo: false }).join('\n')).not.toContain('shop.orders');
    const shown = startBanner(config, FIRST).map((line) => line.slice(2));
    expect(shown).toEqual(expect.arrayContaining(firstLines({ publicUrl, ingestUrl, ...FIRST })));
  });

  it('shows the addresses that the process serves', () => {
    expect(lineOf('api', 'ingest', 'detect', 'notify')).toBe(
      'Plumbline is up: API http://localhost:3000/api  ·  health http://localhost:9091/readyz',
    );
    expect(startBanner(new ServerConfig(), null, { hasConsole: true }).join('\n')).toContain(
      'console http://localhost:3000/  ·  API http://localhost:3000/api  ·  health',
    );
    expect(lineOf('ingest')).toBe(
      'Plumbline is up: ingest http://localhost:3000/ingest  ·  health http://localhost:9091/readyz',
    );
    expect(lineOf('detect')).toBe('Plumbline is up: detect  ·  health http://localhost:9091/readyz');
  });
});
