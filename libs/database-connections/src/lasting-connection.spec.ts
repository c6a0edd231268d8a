import { lastingConnection } from './lasting-connection.js';

describe('lastingConnection', () => {
  it('enables keepalives on the client and the server', () => {
    expect(lastingConnection('postgres://a:b@db:5432/plumbline?sslmode=require')).toEqual({
      connectionString: 'postgres://a:b@db:5432/plumbline?sslmode=require',
      options:
        '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=11000',
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    });
  });

  it('puts the options of the address last, so that they override the defaults', () => {
    const url = 'postgres://a:p%40ss@db/plumbline?options=-c%20search_path%3Down&sslmode=require';
    const own = lastingConnection(url);
    expect(own.options).toMatch(/=11000 -c search_path=own$/);
    expect(own.connectionString).toBe('postgres://a:p%40ss@db/plumbline?sslmode=require');
  });
});
