import { type RetentionPlan, type RetentionTiers } from '../series-store.js';
import { type SlotCut } from '../rollup/rollup-slots.js';

/** The tiers of series, and the data that has left them. */
export class SeriesPeriods {
  private readonly groupOf = new Map<number, RetentionTiers>();
  private readonly all: readonly RetentionTiers[];
  /** Series with a larger id are not changed. */
  readonly newestId: number;
  /** The same for the same plan. */
  readonly fingerprint: string;

  /** @param own tiers of series that are not in the plan */
  constructor(
    private readonly own: RetentionTiers,
    plan: RetentionPlan,
  ) {
    for (const { tiers, ids } of plan.groups) for (const id of ids) this.groupOf.set(id, tiers);
    this.all = [own, ...plan.groups.map(({ tiers }) => tiers)];
    this.newestId = plan.newestId;
    this.fingerprint = JSON.stringify([own, ...plan.groups.map(({ tiers, ids }) => [tiers, ids.length])]);
  }

  of(id: number): RetentionTiers {
    return this.groupOf.get(id) ?? this.own;
  }

  /** True if a time that ends at `end` has left a tier of a series. */
  hasLeft(tier: Tier, id: number, end: number, now: number): boolean {
    return id <= this.newestId && end <= now - this.of(id)[tier].periodSeconds;
  }

  /** The shortest and the longest retention in a tier, seconds. */
  range(tier: Tier): { shortest: number; longest: number } {
    const periods = this.all.map((tiers) => tiers[tier].periodSeconds);
    return { shortest: Math.min(...periods), longest: Math.max(...periods) };
  }
}

export type Tier = 'tier1' | 'tier2';

/** How the roll-ups of tiers are cut. */
export function cutOf({ tier1, tier2 }: RetentionTiers): SlotCut {
  return { slotSeconds: tier2.resolutionSeconds, unitSeconds: tier1.resolutionSeconds };
}
