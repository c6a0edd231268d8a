import { Inject, Injectable } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { type SeriesStore } from '#libs/series';
import { demoStory, type DemoStory } from '#libs/synthetic';
import { type KnownCaller, serviceCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { exactSecondsOf } from '../../common/time.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { type Org } from '../../people/org/org.types.js';
import { SERIES_STORE } from '../../platform/storage/storage.types.js';
import { DemoFeed, floorToSlot } from './demo-feed.js';
import { demoTheme } from './demo-themes.js';
import { DemoRepository } from './demo.repository.js';

/** An organisation whose series are being sent. */
export interface Feeding {
  orgId: number;
  /** For people. */
  name: string;
  /** True if visitors may view it: it is reset every night. */
  isPublic: boolean;
  feed: DemoFeed;
  /** The parts of its series that are used for training. */
  story: DemoStory;
  /** The service itself, as a caller in this organisation. */
  caller: KnownCaller;
  /** Start of the newest simulated anomaly that was recorded as an event, Unix seconds. */
  labelledUpTo: number;
}

/** Opens the feeds of demo organisations at the point that the store has reached. */
@Injectable()
export class DemoFeedsService {
  constructor(
    private readonly repository: DemoRepository,
    private readonly registry: MetricRegistryService,
    @Inject(SERIES_STORE) private readonly store: SeriesStore,
    private readonly clock: Clock,
  ) {}

  async open(org: Org): Promise<Feeding> {
    const demo = await this.repository.find(org.id);
    // The private demo of the administrator is a shop in the time zone of the organisation.
    const theme = (demo && demoTheme(demo.theme)) ?? { theme: 'shop', seed: 1, timezone: org.timezone };
    const { theme: name, seed, timezone } = theme;
    const createdAt = floorToSlot(exactSecondsOf(org.createdAt));
    const story = demoStory({ theme: name, seed, timezone, epoch: createdAt });
    const from = this.clock.now() - (createdAt - story.beginsAt);
    const feed = new DemoFeed(exactSecondsOf(org.createdAt), from, { theme: name, seed, timezone });
    const { ids } = await this.registry.resolve(org.id, 'http', feed.headers);
    const extents = await Promise.all(Array.from(ids, (id) => this.store.extent(id)));
    feed.attach(
      ids,
      extents.map((extent) => extent?.last ?? null),
    );
    const labelledUpTo = (await this.repository.newestLabel(org.id)) ?? from;
    return {
      orgId: org.id,
      name: org.name,
      isPublic: demo !== null,
      feed,
      story,
      caller: serviceCaller(org, Permission.Read | Permission.Write),
      labelledUpTo,
    };
  }

  /** True once every sent point is in the store. */
  async isStored({ feed }: Feeding): Promise<boolean> {
    const extents = await Promise.all(feed.metricIds.map((id) => this.store.extent(id)));
    return feed.isStored(extents.map((extent) => extent?.last ?? null));
  }
}
