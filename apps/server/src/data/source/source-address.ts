import { bare } from '../../platform/outgoing/outgoing-rules.service.js';
import { type SourceType } from './source.types.js';

const SSL_MODES = ['disable', 'require', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

const SQL_PROTOCOLS: Readonly<Record<string, { engine: 'postgres' | 'mysql'; port: number }>> = {
  'postgres:': { engine: 'postgres', port: 5432 },
  'postgresql:': { engine: 'postgres', port: 5432 },
  'mysql:': { engine: 'mysql', port: 3306 },
  'mariadb:': { engine: 'mysql', port: 3306 },
};

/** Parameters of an address that every reader would see. */
const SECRET_PARAMETERS = /^(?:p|password|passwd|pass|token|access_token|api_?key|key|secret|auth)$/i;

/** A stored address, and the login that it contained. */
export interface GivenAddress {
  url: string;
  /** Null: the address held none. */
  login: { username: string; password: string } | null;
}

/** The address of a database. */
export interface DatabaseAddress {
  engine: 'postgres' | 'mysql';
  host: string;
  port: number;
  database: string;
  sslMode: SslMode;
}

/** Parses an address; `problem` is the predicate of a sentence if it is not valid for the type. */
export function readAddress(type: SourceType, text: string): GivenAddress | { problem: string } {
  if (!URL.canParse(text)) return { problem: 'must be an address' };
  const url = new URL(text);
  const problem = type === 'sql' ? databaseProblem(url) : webProblem(url);
  if (problem !== null) return { problem };
  const login =
    url.username === '' && url.password === ''
      ? null
      : { username: decoded(url.username), password: decoded(url.password) };
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url: url.href, login };
}

function webProblem(url: URL): string | null {
  if (!['http:', 'https:'].includes(url.protocol)) return 'must begin with http:// or https://';
  const secret = [...url.searchParams.keys()].find((name) => SECRET_PARAMETERS.test(name));
  return secret === undefined
    ? null
    : `must not contain the parameter ${secret}, which every user could see: use password or headers_set`;
}

function databaseProblem(url: URL): string | null {
  if (SQL_PROTOCOLS[url.protocol] === undefined) return 'must begin with postgres:// or mysql://';
  if (url.hostname === '') return 'must name a host';
  if (url.pathname.replace(/^\//, '') === '') return 'must name a database, as in postgres://host/database';
  for (const [name, value] of url.searchParams) {
    if (name !== 'sslmode') return `must not contain the parameter ${name}: only sslmode is supported`;
    if (!SSL_MODES.some((mode) => mode === value)) return `must have one of ${SSL_MODES.join(', ')} as sslmode`;
  }
  return null;
}

/** For an address that `readAddress` has accepted for the type `sql`. */
export function databaseAddressOf(text: string): DatabaseAddress {
  const url = new URL(text);
  const { engine, port } = SQL_PROTOCOLS[url.protocol]!;
  return {
    engine,
    host: bare(url.hostname),
    port: url.port === '' ? port : Number(url.port),
    database: decoded(url.pathname.slice(1)),
    sslMode: SSL_MODES.find((mode) => mode === url.searchParams.get('sslmode')) ?? 'disable',
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
