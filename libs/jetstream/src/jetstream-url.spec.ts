import { JetStreamUrlError, parseJetStreamUrl, placeOf } from './jetstream-url.js';

describe('parseJetStreamUrl', () => {
  it('accepts a server alone, with defaults for the rest', () => {
    expect(parseJetStreamUrl('nats://nats.example.org')).toEqual({
      servers: ['nats.example.org:4222'],
      tls: false,
      user: undefined,
      password: undefined,
      token: undefined,
      credentialsFile: undefined,
      authoritiesFile: undefined,
      stream: 'plumbline',
      replicas: 1,
      maxBytes: undefined,
      acceptsLoss: false,
      movesToPostgres: false,
    });
  });

  it('reads several servers, credentials, stream, replicas and size limit', () => {
    const url = 'tls://ann:p%40ss@a:4223,tls://b,c:4300?replicas=3&stream=metrics-1&max_bytes=2000000&ca=/etc/ca.pem';
    expect(parseJetStreamUrl(url)).toMatchObject({
      servers: ['a:4223', 'b:4222', 'c:4300'],
      tls: true,
      user: 'ann',
      password: 'p@ss',
      stream: 'metrics-1',
      replicas: 3,
      maxBytes: 2_000_000,
      authoritiesFile: '/etc/ca.pem',
    });
    expect(parseJetStreamUrl('nats://s3cret@a')).toMatchObject({ token: 's3cret', user: undefined });
    expect(parseJetStreamUrl('nats://a?creds=/run/plumbline.creds')).toMatchObject({
      credentialsFile: '/run/plumbline.creds',
    });
    expect(parseJetStreamUrl('nats://[::1]:4222').servers).toEqual(['[::1]:4222']);
  });

  it.each([
    ['kafka://s3cret@a:9092', /nats:\/\/ or tls:\/\//],
    ['a:4222', /nats:\/\/ or tls:\/\//],
    ['nats://', /nats:\/\/host/],
    ['nats://s3cret@a/path', /host and port only/],
    ['nats://a,nats://s3cret@b', /first server only/],
    ['nats://s3cret@a?creds=/x', /not both/],
    ['nats://s3cret%@a', /percent-encoded/],
    ['nats://s3cret@a?replicas=0', /replicas as a whole number 1\.\.5/],
    ['nats://s3cret@a?replicas=three', /replicas as a whole number/],
    ['nats://s3cret@a?stream=a.b', /letters, digits/],
    ['nats://s3cret@a?replica=3', /unknown parameter.*replicas/],
    ['nats://s3cret@a?replicas=1&replicas=3', /twice/],
    ['nats://s3cret@a?accept_loss=yes', /accept_loss=true only/],
    [`nats://s3cret@${'a'.repeat(5000)}`, /shorter/],
  ])('rejects an invalid address with a hint and without its credentials: %s', (url, message) => {
    const refuse = () => parseJetStreamUrl(url);
    expect(refuse).toThrow(JetStreamUrlError);
    expect(refuse).toThrow(message);
    expect(refuse).not.toThrow(/s3cret/);
  });

  it('returns an address that placeOf shows without credentials', () => {
    expect(placeOf(parseJetStreamUrl('nats://ann:s3cret@a,b?stream=x'))).toBe(
      'NATS JetStream at a:4222, b:4222, stream x',
    );
  });
});
