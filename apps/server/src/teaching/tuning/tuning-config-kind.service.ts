import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ANOMALY_KINDS } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { DescribesConfig } from '../../platform/config-kind/config-kind.decorator.js';
import { type ConfigFields, type ConfigKind, type ConfigObject } from '../../platform/config-kind/config-kind.types.js';
import { ConfigKindsService } from '../../platform/config-kind/config-kinds.service.js';
import { CreateTuningParams } from './dto/tuning.params.js';
import { fieldsOf } from './tuning-fields.js';
import { sameTuningKey } from './tuning-comparison.js';
import { settingsOf, TuningService } from './tuning.service.js';

/**
 * Tunings as documents. A tuning is identified by its name and chips; a named one whose chips have changed, by its name
 * alone.
 */
@DescribesConfig({
  kind: 'tuning',
  says: 'How the metrics that chips select are judged.',
  params: CreateTuningParams,
  isFixed: false,
  isBasis: false,
})
@Injectable()
export class TuningConfigKindService implements ConfigKind<CreateTuningParams>, OnModuleInit {
  constructor(
    private readonly tunings: TuningService,
    private readonly kinds: ConfigKindsService,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]> {
    return (await this.tunings.listRows(caller.org.id, tx)).map((row) => {
      const name = row.name === '' ? row.chips.join(', ') : row.name;
      return { id: row.id, name, fields: documentOf(row) };
    });
  }

  keyOf({ name, chips }: ConfigFields): string {
    return sameTuningKey(String(name), chips as readonly string[]);
  }

  likenessOf({ name }: ConfigFields): string | null {
    return name === '' ? null : String(name);
  }

  fieldsOf(_caller: KnownCaller, params: CreateTuningParams): ConfigFields {
    return documentOf(tuningOf(params));
  }

  async create(caller: KnownCaller, params: CreateTuningParams, tx: Tx): Promise<void> {
    await this.tunings.createIn(caller, params, tx);
  }

  async update(caller: KnownCaller, id: number, params: CreateTuningParams, tx: Tx): Promise<void> {
    const { chips } = params;
    // All members, so that those omitted in the document get their defaults.
    await this.tunings.updateIn(caller, id, { ...fieldsOf(tuningOf(params)), chips }, tx);
  }

  async remove(caller: KnownCaller, id: number, tx: Tx): Promise<void> {
    await this.tunings.deleteIn(caller, id, tx);
  }
}

const tuningOf = (params: CreateTuningParams) => ({
  ...settingsOf(params),
  name: params.name ?? '',
  chips: params.chips.map(({ text }) => text),
});

function documentOf(tuning: ReturnType<typeof tuningOf>): ConfigFields {
  const { kinds } = tuning;
  return {
    ...fieldsOf(tuning),
    // All kinds is the same as no named kind.
    kinds: kinds.length === ANOMALY_KINDS.length ? [] : ANOMALY_KINDS.filter((kind) => kinds.includes(kind)),
  };
}
