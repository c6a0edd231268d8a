import { ServerConfig, type Role } from './common/config/server.config.js';
import { startBanner } from './start-banner.js';

const lineOf = (...roles: Role[]) => {
  const config = new ServerConfig();
  config.complete(new Set());
  config.roles = roles;
  return startBanner(config, null)[1];
};

describe('the banner of a start', () => {
  it('names the addresses that the process serves', () => {
    expect(lineOf('api', 'ingest', 'detect', 'notify')).toBe(
      'Plumbline is up: API http://localhost:3000/api  ·  health http://localhost:9091/readyz',
    );
    expect(lineOf('ingest')).toBe(
      'Plumbline is up: ingest http://localhost:3000/ingest  ·  health http://localhost:9091/readyz',
    );
    expect(lineOf('detect')).toBe('Plumbline is up: detect  ·  health http://localhost:9091/readyz');
  });
});
