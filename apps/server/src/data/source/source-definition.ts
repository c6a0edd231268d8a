import { type ErrorDetail } from '#libs/contracts';
import { isMasked } from '../../common/secrets/secrets.js';
import { type UpdateSourceParams } from './dto/source.params.js';
import { readAddress } from './source-address.js';
import { DEFAULT_SETTINGS, NO_SECRETS, type SourceSecrets, type SourceSettings } from './source.types.js';

/** The desired state of a source. */
export interface Definition {
  settings: SourceSettings;
  secrets: SourceSecrets;
  /** Secrets that are removed because the address has changed. */
  details: ErrorDetail[];
}

/** Shown instead of the value of a header. */
export const HIDDEN = '************';

/**
 * A source after a change; omitted members keep their values. Secrets that were stored for another address are removed,
 * unless they are given again.
 * @param params are valid, and have name, type, url and query for a new source
 */
export function definitionOf(
  params: UpdateSourceParams,
  before: { settings: SourceSettings; secrets: SourceSecrets } | null,
): Definition {
  const old = before?.settings ?? { ...DEFAULT_SETTINGS, name: '', type: 'promql' as const, url: '', query: '' };
  const type = params.type ?? old.type;
  const read = params.url === undefined ? null : readAddress(type, params.url);
  const given = read === null || 'problem' in read ? null : read;
  const url = given?.url ?? old.url;
  const login = given?.login ?? null;
  const isElsewhere = before !== null && (url !== old.url || type !== old.type);
  const known = isElsewhere || before === null ? NO_SECRETS : before.secrets;

  const username = params.username ?? login?.username ?? old.username;
  const password = params.password ?? (login === null || login.password === '' ? known.password : login.password);
  const headers = params.headers_set === undefined ? known.headers : withKept(params.headers_set, known.headers);
  const secrets = { password, headers };
  return {
    settings: {
      name: params.name ?? old.name,
      type,
      url,
      query: params.query ?? old.query,
      username,
      intervalSeconds: params.interval_seconds ?? old.intervalSeconds,
      lagSeconds: params.lag_seconds ?? old.lagSeconds,
      backfillSeconds: params.backfill_seconds ?? old.backfillSeconds,
      nameTemplate: params.name_template ?? old.nameTemplate,
      metricType: params.metric_type === undefined ? old.metricType : params.metric_type,
      unit: params.unit === undefined ? old.unit : params.unit,
      timeoutSeconds: params.timeout_seconds ?? old.timeoutSeconds,
      maxSeries: params.max_series ?? old.maxSeries,
      enabled: params.enabled ?? old.enabled,
      writeBack: params.write_back ?? old.writeBack,
    },
    secrets,
    details: isElsewhere ? neededSecrets(before.secrets, secrets, params) : [],
  };
}

/** A masked value means the stored one; if there is none, the header is removed. */
function withKept(
  given: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(given).flatMap(([name, value]): [string, string][] => {
    if (!isMasked(value)) return [[name, value]];
    const kept = known[name];
    return kept === undefined ? [] : [[name, kept]];
  });
  return Object.fromEntries(entries);
}

function neededSecrets(before: SourceSecrets, after: SourceSecrets, params: UpdateSourceParams): ErrorDetail[] {
  const needed = (field: string, what: string): ErrorDetail => ({
    field,
    code: 'secret_needed',
    message: `${what} was stored for another address and is removed; give it again`,
  });
  const details: ErrorDetail[] = [];
  if (before.password !== '' && after.password === '' && params.password === undefined) {
    details.push(needed('password', 'the password'));
  }
  for (const name of Object.keys(before.headers)) {
    const value = params.headers_set?.[name];
    const isMeant = params.headers_set === undefined || (value !== undefined && isMasked(value));
    if (after.headers[name] === undefined && isMeant) details.push(needed(`headers_set.${name}`, `the header ${name}`));
  }
  return details;
}
