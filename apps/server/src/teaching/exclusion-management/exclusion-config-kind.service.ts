import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { exclusionType } from '../../data/exclusion/exclusion-types.functions.js';
import { ExclusionService } from '../../data/exclusion/exclusion.service.js';
import { type WantedExclusion } from '../../data/exclusion/exclusion.types.js';
import { DescribesConfig } from '../../platform/config-kind/config-kind.decorator.js';
import { type ConfigFields, type ConfigKind, type ConfigObject } from '../../platform/config-kind/config-kind.types.js';
import { ConfigKindsService } from '../../platform/config-kind/config-kinds.service.js';
import { AddExclusionParams } from './dto/exclusion-management.params.js';
import { definitionOf } from './exclusion-changes.service.js';
import { ExclusionNotFoundError } from './exclusion-management.errors.js';
import { ExclusionWritingService } from './exclusion-writing.service.js';

/**
 * Exclusions as documents. An exclusion is identified by its type, chips and times: a document can change its reason.
 */
@DescribesConfig({
  kind: 'exclusion',
  says: 'When the metrics that chips select are not stored, not analysed or not alerted about.',
  params: AddExclusionParams,
  isFixed: false,
  isBasis: false,
})
@Injectable()
export class ExclusionConfigKindService implements ConfigKind<AddExclusionParams>, OnModuleInit {
  constructor(
    private readonly definitions: ExclusionService,
    private readonly writing: ExclusionWritingService,
    private readonly kinds: ConfigKindsService,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]> {
    return (await this.definitions.list(caller.org.id, tx)).map((one) => {
      const { code } = exclusionType(one.typeId);
      const chips = one.chips.map(({ text }) => text).join(', ');
      return { id: one.id, name: `${code}: ${chips}`, fields: fieldsOf(one) };
    });
  }

  keyOf({ chips, ...fields }: ConfigFields): string {
    const times = ['from', 'until', 'recurrence_days', 'recurrence_start', 'recurrence_duration_seconds'];
    const days = fields.recurrence_days;
    const known: ConfigFields = {
      ...fields,
      recurrence_days: Array.isArray(days) ? [...(days as string[])].sort() : [],
    };
    return JSON.stringify([fields.type, [...(chips as string[])].sort(), times.map((name) => known[name])]);
  }

  fieldsOf(caller: KnownCaller, params: AddExclusionParams): ConfigFields {
    return fieldsOf(definitionOf(caller, params));
  }

  async create(caller: KnownCaller, params: AddExclusionParams, tx: Tx): Promise<void> {
    await this.writing.create(caller, definitionOf(caller, params), tx);
  }

  async update(caller: KnownCaller, id: number, params: AddExclusionParams, tx: Tx): Promise<void> {
    await this.writing.update(caller, id, () => definitionOf(caller, params), tx);
  }

  async remove(caller: KnownCaller, id: number, tx: Tx): Promise<void> {
    const exclusion = await this.definitions.find(caller.org.id, id, tx);
    if (!exclusion) throw new ExclusionNotFoundError(id);
    await this.writing.delete(caller, exclusion, tx);
  }
}

function fieldsOf({ typeId, chips, reason, fromTimestamp, untilTimestamp, recurrence }: WantedExclusion): ConfigFields {
  return {
    type: exclusionType(typeId).code,
    chips: chips.map(({ text }) => text),
    reason,
    from: fromTimestamp,
    until: untilTimestamp,
    recurrence_days: recurrence ? [...recurrence.days] : [],
    recurrence_start: recurrence?.start ?? null,
    recurrence_duration_seconds: recurrence?.durationSeconds ?? null,
  };
}
