import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ANOMALY_KINDS } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import {
  type AfterCommit,
  type ConfigFields,
  type ConfigKind,
  type ConfigObject,
} from '../../platform/config-kind/config-kind.types.js';
import { ConfigKinds } from '../../platform/config-kind/config-kinds.service.js';
import { CreateTuningParams } from './dto/tuning.params.js';
import { TuningActs } from './tuning-acts.service.js';
import { settingsOf, TuningService } from './tuning.service.js';
import { type TuningSettings } from './tuning.types.js';

/** Tunings as documents. One is known by its name, or by its chips where it has none. */
@Injectable()
export class TuningConfigKind implements ConfigKind<CreateTuningParams>, OnModuleInit {
  readonly kind = 'tuning';
  readonly params = CreateTuningParams;
  readonly isFixed = false;

  constructor(
    private readonly tunings: TuningService,
    private readonly acts: TuningActs,
    private readonly kinds: ConfigKinds,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async list(caller: KnownCaller, tx: Tx): Promise<ConfigObject[]> {
    return (await this.tunings.listRows(caller.org.id, tx)).map((row) => {
      const name = row.name === '' ? row.chips.join(', ') : row.name;
      return { id: row.id, name, fields: fieldsOf(row.name, row.chips, row) };
    });
  }

  keyOf({ name, chips }: ConfigFields): string {
    return typeof name === 'string' && name !== '' ? name : JSON.stringify(chips);
  }

  fieldsOf(_caller: KnownCaller, params: CreateTuningParams): ConfigFields {
    const chips = params.chips.map(({ text }) => text);
    return fieldsOf(params.name ?? '', chips, settingsOf(params));
  }

  async create(caller: KnownCaller, params: CreateTuningParams, tx: Tx): Promise<AfterCommit> {
    const row = await this.tunings.createIn(caller, params, tx);
    return () => this.acts.report(caller, 'tuning_added', row);
  }

  async update(caller: KnownCaller, id: number, params: CreateTuningParams, tx: Tx): Promise<AfterCommit> {
    const { name = '', chips } = params;
    const settings = settingsOf(params);
    const whole = {
      name,
      chips,
      sensitivity: settings.sensitivity,
      direction: settings.direction,
      kinds: settings.kinds,
      min_duration_seconds: settings.minDurationSeconds,
      period_seconds: settings.periodSeconds,
      minimum_size: settings.minimumSize,
      false_alarms_per_month: settings.falseAlarmsPerMonth,
    };
    const row = await this.tunings.updateIn(caller, id, whole, tx);
    return () => this.acts.report(caller, 'tuning_changed', row);
  }

  async remove(caller: KnownCaller, id: number, tx: Tx): Promise<AfterCommit> {
    const row = await this.tunings.deleteIn(caller, id, tx);
    return () => this.acts.report(caller, 'tuning_removed', row);
  }
}

function fieldsOf(name: string, chips: readonly string[], settings: TuningSettings): ConfigFields {
  const { kinds } = settings;
  return {
    name,
    chips: [...chips],
    sensitivity: settings.sensitivity,
    direction: settings.direction,
    // All of them is the same as none named.
    kinds: kinds.length === ANOMALY_KINDS.length ? [] : ANOMALY_KINDS.filter((kind) => kinds.includes(kind)),
    min_duration_seconds: settings.minDurationSeconds,
    period_seconds: settings.periodSeconds,
    minimum_size: settings.minimumSize,
    false_alarms_per_month: settings.falseAlarmsPerMonth,
  };
}
