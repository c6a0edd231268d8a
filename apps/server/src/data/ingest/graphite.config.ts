import { Setting, type SettingProblem } from '../../common/config/setting.decorator.js';
import { readTokenRanges, type TokenRange } from './graphite-tokens.js';

/** The Graphite listener; PLUMBLINE_GRAPHITE_ADDRESS is its address. */
export class GraphiteConfig {
  @Setting({
    env: 'PLUMBLINE_GRAPHITE_TOKENS',
    type: 'string',
    form: 'network=token, separated by commas',
    defaultText: 'none',
    secret: true,
    sentence:
      'Tokens for lines without a token, by address of the sender: 10.1.0.0/16=pl_…,10.2.0.7=pl_…; the first match is used.',
  })
  tokens: string | undefined;

  @Setting({
    env: 'PLUMBLINE_GRAPHITE_CONNECTIONS_PER_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    sentence: 'Graphite connections of one address; further ones are closed immediately.',
  })
  connectionsPerAddress = 50;

  @Setting({
    env: 'PLUMBLINE_GRAPHITE_CONNECTIONS',
    type: 'int',
    min: 1,
    max: 100_000,
    sentence: 'Graphite connections of all addresses; further ones are closed immediately.',
  })
  connections = 1000;

  @Setting({
    env: 'PLUMBLINE_GRAPHITE_IDLE_SECONDS',
    type: 'int',
    min: 1,
    max: 86_400,
    unit: 'seconds',
    sentence: 'Idle time after which a Graphite connection is closed.',
  })
  idleSeconds = 600;

  /** The parsed `tokens`. */
  get tokenRanges(): readonly TokenRange[] {
    return readTokenRanges(this.tokens ?? '').ranges;
  }

  problems(): readonly SettingProblem[] {
    const { wrong } = readTokenRanges(this.tokens ?? '');
    // The entries contain tokens, so invalid ones are named by their position.
    return wrong.map((place) => ({
      env: 'PLUMBLINE_GRAPHITE_TOKENS',
      message: `entry ${String(place)} must be an address or network, "=" and a token (10.0.0.0/8=pl_…)`,
    }));
  }
}
