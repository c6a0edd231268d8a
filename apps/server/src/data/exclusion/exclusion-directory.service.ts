import { Injectable, type OnModuleInit } from '@nestjs/common';
import { labelsOf } from '#libs/protocols';
import { type ChipMatcher, compileChips, FoldedTarget, type MatchTarget } from '../chips/chips-match.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { isInForce, isInForceDuring, type Span } from './exclusion-schedule.js';
import { type ExclusionEntity } from './exclusion.entity.js';
import { ExclusionRepository } from './exclusion.repository.js';
import { toExclusion } from './exclusion.service.js';
import { ALERTING_TYPE_ID, ANALYSIS_TYPE_ID, type Exclusion, LEARNING_TYPE_ID } from './exclusion.types.js';

/** A change by another process is noticed within this time. */
const REFRESH_MS = 10_000;

interface OrgExclusions {
  fingerprint: string;
  generation: number;
  /** Oldest first. */
  all: readonly CompiledExclusion[];
}

interface CompiledExclusion {
  exclusion: Exclusion;
  covers: ChipMatcher;
}

const NONE: readonly CompiledExclusion[] = [];

/** The exclusions of all organisations, in memory: they are consulted for every new name and for every metric shown. */
@Injectable()
export class ExclusionDirectoryService extends RecurringWork implements OnModuleInit {
  private readonly orgs = new Map<number, OrgExclusions>();
  private refreshing: Promise<void> = Promise.resolve();

  constructor(private readonly exclusions: ExclusionRepository) {
    super({ everyMs: REFRESH_MS, failure: 'Exclusions could not be read again' });
  }

  /** No data is accepted before the exclusions are loaded. */
  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  run(): Promise<void> {
    return this.refresh();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.refreshing.catch(() => undefined);
  }

  /** Incremented on each change that this process notices. Results of `excludes` are valid while it stays the same. */
  generation(orgId: number): number {
    return this.orgs.get(orgId)?.generation ?? 0;
  }

  /** True if data of the metric is refused. `name` in canonical form. */
  excludes(orgId: number, name: string): boolean {
    const all = this.orgs.get(orgId)?.all ?? NONE;
    if (!all.some(({ exclusion }) => exclusion.typeId === ANALYSIS_TYPE_ID)) return false;
    const target = new FoldedTarget({ name, labels: labelsOf(name) });
    return all.some(({ exclusion, covers }) => exclusion.typeId === ANALYSIS_TYPE_ID && covers(target));
  }

  /** The exclusions of an organisation, oldest first. */
  list(orgId: number): Exclusion[] {
    return (this.orgs.get(orgId)?.all ?? NONE).map(({ exclusion }) => exclusion);
  }

  /** The exclusions that cover a metric, in force or not. */
  findCovering(orgId: number, metric: MatchTarget): Exclusion[] {
    const all = this.orgs.get(orgId)?.all ?? NONE;
    if (all.length === 0) return [];
    const target = new FoldedTarget(metric);
    return all.filter(({ covers }) => covers(target)).map(({ exclusion }) => exclusion);
  }

  /** True if alerts about a metric are suppressed at a moment. `at` in Unix seconds, `timezone` of the organisation. */
  holdsAlertsBack(orgId: number, metric: MatchTarget, at: number, timezone: string): boolean {
    const all = (this.orgs.get(orgId)?.all ?? NONE).filter(
      ({ exclusion }) => exclusion.typeId === ALERTING_TYPE_ID && isInForce(exclusion, at, timezone),
    );
    if (all.length === 0) return false;
    const target = new FoldedTarget(metric);
    return all.some(({ covers }) => covers(target));
  }

  /** Spans of a metric from which no pattern may be learnt automatically. `timezone` of the organisation. */
  learningMask(orgId: number, metric: MatchTarget, timezone: string): (span: Span) => boolean {
    const covering = this.findCovering(orgId, metric).filter(({ typeId }) => typeId === LEARNING_TYPE_ID);
    return (span) => covering.some((exclusion) => isInForceDuring(exclusion, span, timezone));
  }

  /** Organisations with exclusions that refuse data. */
  orgsThatKeepDataOut(): number[] {
    const keepsOut = ({ exclusion }: CompiledExclusion): boolean => exclusion.typeId === ANALYSIS_TYPE_ID;
    return [...this.orgs].filter(([, { all }]) => all.some(keepsOut)).map(([orgId]) => orgId);
  }

  /** Checks for changes of all organisations; one check at a time. */
  refresh(): Promise<void> {
    this.refreshing = this.refreshing.catch(() => undefined).then(() => this.loadChanges());
    return this.refreshing;
  }

  /** Commands load them too: their input and output depend on exclusions. */
  protected override isWanted(): boolean {
    return true;
  }

  private async loadChanges(): Promise<void> {
    const found = new Map((await this.exclusions.fingerprints()).map(({ orgId, fingerprint }) => [orgId, fingerprint]));
    for (const orgId of new Set([...found.keys(), ...this.orgs.keys()])) {
      const known = this.orgs.get(orgId);
      const fingerprint = found.get(orgId) ?? '';
      if (known?.fingerprint === fingerprint) continue;
      const all = fingerprint === '' ? [] : (await this.exclusions.list(orgId)).map(compile);
      this.orgs.set(orgId, { fingerprint, all, generation: (known?.generation ?? 0) + 1 });
    }
  }
}

function compile(row: ExclusionEntity): CompiledExclusion {
  const exclusion = toExclusion(row);
  return { exclusion, covers: compileChips(exclusion.chips) };
}
