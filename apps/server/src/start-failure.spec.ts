import { ConfigError } from './common/config/load-config.js';
import { ServerConfig } from './common/config/server.config.js';
import { DevelopmentDatabaseError } from './common/database/migrate.js';
import { startFailure } from './start-failure.js';

const config = Object.assign(new ServerConfig(), {
  port: 3000,
  managementPort: 9091,
  graphiteAddress: ':2003',
  dataFolder: '/srv/plumbline',
});

const errno = (fields: object, message = 'refused') => Object.assign(new Error(message), fields);

describe('startFailure', () => {
  it.each([
    [3000, 'Port 3000 is in use by another program: stop that one, or set PORT to another port.'],
    [9091, 'Port 9091 is in use by another program: stop that one, or set MANAGEMENT_PORT to another port.'],
    [2003, 'Port 2003 is in use by another program: stop that one, or set PLUMBLINE_GRAPHITE_ADDRESS to another port.'],
  ])('names the setting of a port in use: %i', (port, message) => {
    const error = errno({ code: 'EADDRINUSE', syscall: 'listen', port });
    expect(startFailure(error, config)).toEqual({ message, exitCode: 1 });
  });

  it('names the port that the user may not open', () => {
    const error = errno({ code: 'EACCES', syscall: 'listen', port: 3000 }, 'listen EACCES: permission denied');
    expect(startFailure(error, config).message).toBe(
      'Port 3000 (PORT) cannot be used: listen EACCES: permission denied',
    );
  });

  it('names the setting of an unusable data folder', () => {
    const error = errno({ code: 'EACCES', syscall: 'mkdir', path: '/srv/plumbline/postgres' }, 'EACCES: denied');
    expect(startFailure(error, config).message).toMatch(
      /^The data folder \/srv\/plumbline cannot be used: EACCES: denied\. Set PLUMBLINE_DATA /,
    );
    const elsewhere = errno({ code: 'EACCES', syscall: 'open', path: '/etc/shadow' }, 'EACCES: denied');
    expect(startFailure(elsewhere, config).message).toBe('EACCES: denied');
  });

  it('returns exit code 2 for wrong settings, and lists them', () => {
    const error = new ConfigError([{ env: 'PORT', message: 'must be a number' }]);
    expect(startFailure(error)).toEqual({ message: '1 setting is wrong:\n  PORT: must be a number', exitCode: 2 });
  });

  it('returns exit code 2 for a database of a development version', () => {
    const error = new DevelopmentDatabaseError(['Points1767225600003'], { url: '', dataFolder: '/srv/plumbline' });
    expect(startFailure(error, config)).toEqual({ message: error.message, exitCode: 2 });
  });

  it('includes a stack only for programming errors', () => {
    expect(startFailure(new TypeError('x is not a function'), config).message).toMatch(/\n +at /);
    expect(startFailure(new Error('the database is away'), config).message).toBe('the database is away');
  });
});
