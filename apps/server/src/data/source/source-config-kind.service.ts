import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { DescribesConfig } from '../../platform/config-kind/config-kind.decorator.js';
import {
  type ConfigFields,
  type ConfigKind,
  type ConfigObject,
  type ConfigSecret,
} from '../../platform/config-kind/config-kind.types.js';
import { ConfigKindsService } from '../../platform/config-kind/config-kinds.service.js';
import { type HeaderValues } from './dto/headers-param.decorator.js';
import { CreateSourceParams } from './dto/source.params.js';
import { readAddress } from './source-address.js';
import { SourceAddressesService } from './source-addresses.service.js';
import { definitionOf } from './source-definition.js';
import { fieldsOf } from './source-fields.js';
import { SourceSecretsService } from './source-secrets.service.js';
import { SourceService } from './source.service.js';
import { SOURCE_TYPES, type SourceSecrets, type SourceSettings } from './source.types.js';

/** Sources as documents, identified by name. All headers together are one secret: a JSON object as text. */
@DescribesConfig({
  kind: 'source',
  says: 'A query at another system whose results are fetched.',
  params: CreateSourceParams,
  isFixed: false,
  isBasis: false,
})
@Injectable()
export class SourceConfigKindService implements ConfigKind<CreateSourceParams>, OnModuleInit {
  constructor(
    private readonly sources: SourceService,
    private readonly addresses: SourceAddressesService,
    private readonly secrets: SourceSecretsService,
    private readonly kinds: ConfigKindsService,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]> {
    return (await this.sources.listRows(caller.org.id, tx)).map((row) => ({
      id: row.id,
      name: row.name,
      fields: documentOf(row, this.secrets.open(row)),
    }));
  }

  keyOf({ name }: ConfigFields): string {
    return String(name);
  }

  fieldsOf(_caller: KnownCaller, params: CreateSourceParams): ConfigFields {
    const { settings, secrets } = definitionOf(withHeaders(params), null);
    return documentOf(settings, secrets);
  }

  secretsOf(fields: ConfigFields): ReadonlyMap<string, ConfigSecret> {
    const { name, url, type } = fields;
    const variable = `SOURCE_${String(name)
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')}`;
    const known = SOURCE_TYPES.find((one) => one === type);
    const read = known === undefined || typeof url !== 'string' ? null : readAddress(known, url);
    const sentTo = JSON.stringify([type, read === null || 'problem' in read ? url : read.url]);
    return new Map([
      ['password', { variable: `${variable}_PASSWORD`, isGenerated: false, sentTo }],
      ['headers_set', { variable: `${variable}_HEADERS`, isGenerated: false, sentTo }],
    ]);
  }

  async create(caller: KnownCaller, params: CreateSourceParams, tx: Tx): Promise<void> {
    const sound = withHeaders(params);
    await this.addresses.requireAllowed(definitionOf(sound, null).settings);
    await this.sources.createIn(caller, sound, tx);
  }

  async update(caller: KnownCaller, id: number, params: CreateSourceParams, tx: Tx): Promise<void> {
    const { settings, secrets } = definitionOf(withHeaders(params), null);
    const before = await this.sources.getRow(caller, id, tx);
    // Unchanged members are not validated again, for example an address whose host does not answer at the moment.
    if (settings.url !== before.url || settings.type !== before.type) await this.addresses.requireAllowed(settings);
    // All members, so that omitted ones return to their defaults.
    const all = { ...fieldsOf(settings), password: secrets.password, headers_set: secrets.headers };
    await this.sources.updateIn(caller, id, all, tx);
  }

  async remove(caller: KnownCaller, id: number, tx: Tx): Promise<void> {
    await this.sources.deleteIn(caller, id, tx);
  }
}

/** Headers that a placeholder replaces are passed in their stored form: as text. */
function withHeaders(params: CreateSourceParams): CreateSourceParams {
  const headers: unknown = params.headers_set;
  if (typeof headers !== 'string') return params;
  return Object.assign(new CreateSourceParams(), params, { headers_set: JSON.parse(headers) as HeaderValues });
}

function documentOf(settings: SourceSettings, { password, headers }: SourceSecrets): ConfigFields {
  const entries = Object.entries(headers).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...fieldsOf(settings),
    password: password === '' ? null : password,
    headers_set: entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries)),
  };
}
