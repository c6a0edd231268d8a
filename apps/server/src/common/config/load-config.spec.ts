import { ConfigError, loadConfig } from './load-config.js';
import { ServerConfig } from './server.config.js';
import { Setting } from './setting.decorator.js';

class TeaConfig {
  @Setting({ env: 'PLUMBLINE_TEA_MINUTES', type: 'int', min: 1, max: 10, unit: 'minutes', sentence: 'How long.' })
  minutes = 4;

  @Setting({ env: 'PLUMBLINE_TEA_SUGAR', type: 'number', min: 0, sentence: 'Spoons.' })
  sugar = 0.5;

  @Setting({ env: 'PLUMBLINE_TEA_MILK', type: 'boolean', sentence: 'Milk.' })
  milk = false;

  @Setting({ env: 'PLUMBLINE_TEA_KIND', type: 'enum', values: ['green', 'black'], sentence: 'Kind.' })
  kind: 'green' | 'black' = 'black';

  @Setting({ env: 'PLUMBLINE_TEA_GUESTS', type: 'list', pattern: /^[a-z]+$/, form: 'names', sentence: 'Who comes.' })
  guests: readonly string[] = [];

  @Setting({ env: 'PLUMBLINE_TEA_SHOP', type: 'url', sentence: 'Shop.' })
  shop = 'http://tea.example.org';

  @Setting({ env: 'PLUMBLINE_TEA_SAFE', type: 'string', minLength: 4, secret: true, sentence: 'Where it is locked.' })
  safe: string | undefined;
}

const load = (env: Record<string, string>) => loadConfig([TeaConfig], env).get(TeaConfig);
const problemsOf = (env: Record<string, string>, classes: Parameters<typeof loadConfig>[0] = [TeaConfig]) => {
  try {
    loadConfig(classes, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => `${problem.env}: ${problem.message}`);
    throw error;
  }
  return [];
};

describe('settings', () => {
  it('keep their defaults when variables are unset or blank', () => {
    expect(load({ PLUMBLINE_TEA_MINUTES: '', PLUMBLINE_TEA_KIND: ' ' })).toEqual(new TeaConfig());
  });

  it('are read in the type of their field', () => {
    const read = load({
      PLUMBLINE_TEA_MINUTES: '7',
      PLUMBLINE_TEA_SUGAR: '1.5',
      PLUMBLINE_TEA_MILK: 'on',
      PLUMBLINE_TEA_KIND: 'green',
      PLUMBLINE_TEA_GUESTS: 'ann, bob,,ann',
      PLUMBLINE_TEA_SHOP: 'https://x.example.org/tea/',
      PLUMBLINE_TEA_SAFE: 'abcd',
    });
    expect(read).toEqual<TeaConfig>({
      minutes: 7,
      sugar: 1.5,
      milk: true,
      kind: 'green',
      guests: ['ann', 'bob'],
      shop: 'https://x.example.org/tea',
      safe: 'abcd',
    });
  });

  const f = (env: string, value: string, want: string) => {
    it(`${env}=${value} is rejected`, () => {
      expect(problemsOf({ [env]: value })).toEqual([`${env}: ${want}`]);
    });
  };
  f('PLUMBLINE_TEA_MINUTES', '11', '"11" must be a whole number 1..10 (minutes)');
  f('PLUMBLINE_TEA_MINUTES', '1.5', '"1.5" must be a whole number 1..10 (minutes)');
  f('PLUMBLINE_TEA_MINUTES', 'four', '"four" must be a whole number 1..10 (minutes)');
  f('PLUMBLINE_TEA_SUGAR', '-1', '"-1" must be a number 0..');
  f('PLUMBLINE_TEA_MILK', 'perhaps', '"perhaps" must be on or off');
  f('PLUMBLINE_TEA_KIND', 'white', '"white" must be one of green, black');
  f('PLUMBLINE_TEA_GUESTS', 'ann,B0b', '"ann,B0b" must be a list of names; not so: B0b');
  f('PLUMBLINE_TEA_SHOP', 'ftp://x', '"ftp://x" must be an http or https address without query');
  f('PLUMBLINE_TEA_SAFE', 'abc', 'the value must have at least 4 characters');

  it('are all reported in one error message', () => {
    const env = { PLUMBLINE_TEA_MINUTES: '0', PLUMBLINE_TEA_KIND: 'white', MANAGEMENT_PORT: '99999' };
    expect(() => loadConfig([TeaConfig, ServerConfig], env)).toThrow(
      [
        '3 settings are wrong:',
        '  PLUMBLINE_TEA_MINUTES: "0" must be a whole number 1..10 (minutes)',
        '  PLUMBLINE_TEA_KIND: "white" must be one of green, black',
        '  MANAGEMENT_PORT: "99999" must be a whole number 0..65535',
      ].join('\n'),
    );
  });

  it('are reported as unknown when they have the prefix PLUMBLINE_', () => {
    expect(loadConfig([TeaConfig], { PLUMBLINE_TEA_MINUTS: '3', HOME: '/home/x' }).warnings).toEqual([
      'PLUMBLINE_TEA_MINUTS is not a known setting and has no effect',
    ]);
  });

  it('throw with the name of the class when it is not registered', () => {
    expect(() => loadConfig([], {}).get(TeaConfig)).toThrow('TeaConfig is missing in config.registry.ts');
  });
});

describe('the settings of the server', () => {
  const server = (env: Record<string, string>) => loadConfig([ServerConfig], env).get(ServerConfig);

  it('derive the public address from the port', () => {
    expect(server({ PORT: '8080' })).toMatchObject({
      publicUrl: 'http://localhost:8080',
      ingestUrl: 'http://localhost:8080',
    });
  });

  it('derive the console origin and the ingest address from the public address', () => {
    expect(server({ PUBLIC_URL: 'https://p.example.org/plumbline/' })).toMatchObject({
      publicUrl: 'https://p.example.org/plumbline',
      ingestUrl: 'https://p.example.org/plumbline',
      consoleOrigin: 'https://p.example.org',
    });
  });

  it('reject the same port for two purposes', () => {
    expect(problemsOf({ PORT: '9091' }, [ServerConfig])).toEqual(['MANAGEMENT_PORT: must differ from PORT (9091)']);
  });

  it.each([
    ['2003', undefined, 2003],
    [':2003', undefined, 2003],
    ['10.0.0.5:2003', '10.0.0.5', 2003],
    ['[::1]:2004', '::1', 2004],
  ])('parse the Graphite address %s', (text, host, port) => {
    const config = server({ PLUMBLINE_GRAPHITE_ADDRESS: text, PUBLIC_URL: 'https://p.example.org:8443/x' });
    expect(config.graphiteListener).toEqual({ host, port });
    expect(config.graphitePublicAddress).toBe(`p.example.org:${String(port)}`);
  });

  it('have no Graphite listener by default', () => {
    expect([server({}).graphiteListener, server({}).graphitePublicAddress]).toEqual([undefined, null]);
  });

  it.each(['3000', 'host', '1.2.3.4:', '::1:2003', '70000'])('refuse a Graphite address of %s', (text) => {
    expect(problemsOf({ PLUMBLINE_GRAPHITE_ADDRESS: text }, [ServerConfig])).toHaveLength(1);
  });

  it('reject a short secret key without repeating it', () => {
    const [problem] = problemsOf({ PLUMBLINE_SECRET_KEY: 'hunter2' }, [ServerConfig]);
    expect(problem).toBe('PLUMBLINE_SECRET_KEY: the value must be 32 bytes as base64 or hexadecimal');
  });
});
