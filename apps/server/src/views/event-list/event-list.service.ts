import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { dateTime } from '../../common/display/display.js';
import { type PageDto, pageOf } from '../../common/paging/paging.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { UserService } from '../../people/user/user.service.js';
import { type EventDto } from '../../platform/event/event.dto.js';
import { type EventsDto } from './dto/event-list.dto.js';
import { type ListEventsParams } from './dto/event-list.params.js';
import { EventListRepository, type EventRow } from './event-list.repository.js';
import { EVENTS_KEPT_SECONDS } from '../../platform/event/event.types.js';

/** Events of an organisation. */
@Injectable()
export class EventListService {
  constructor(
    private readonly events: EventListRepository,
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly clock: Clock,
  ) {}

  async list(caller: KnownCaller, query: ListEventsParams): Promise<EventsDto> {
    const { org } = caller;
    const { retention2PeriodSeconds } = await this.orgs.getAnalysisVariables(org.id);
    const window: Window = resolveWindow(query, this.clock.now(), retention2PeriodSeconds);
    const metric = query.metric && (await this.metrics.resolve(org.id, query.metric, 'metric'));
    const filter = { ...window, types: query.type, levels: query.level, metricId: metric?.id };
    const { events, total } = await this.events.findPage(org.id, filter, query);
    const page: Pick<PageDto, 'total' | 'limit' | 'offset'> = pageOf(query, total);
    return {
      events: await this.present(caller, events),
      from: window.from,
      until: window.until,
      ...page,
    };
  }

  /** The newest of all stored events. */
  async latest(caller: KnownCaller, limit: number): Promise<EventDto[]> {
    const until = Math.floor(this.clock.now());
    const filter = { from: until - EVENTS_KEPT_SECONDS, until, types: [], levels: [] };
    const { events } = await this.events.findPage(caller.org.id, filter, { limit, offset: 0 });
    return this.present(caller, events);
  }

  private async present(caller: KnownCaller, events: readonly EventRow[]): Promise<EventDto[]> {
    const userIds = events.map(({ userId }) => userId);
    const names = await this.users.displayNames(caller, userIds);
    return events.map((event) => toEventDto(event, caller.org.timezone, names));
  }
}

function toEventDto(event: EventRow, timezone: string, names: ReadonlyMap<number, string>): EventDto {
  const { refKind, refId } = event;
  return {
    id: event.id,
    timestamp: event.timestamp,
    timestamp_string: dateTime(event.timestamp, timezone),
    type: event.type,
    level: event.level,
    title: event.title,
    text: event.text,
    user_id: event.userId,
    user_display_name: event.userId === null ? null : (names.get(event.userId) ?? null),
    metric_id: event.metricId,
    metric: event.metric,
    anomaly_id: event.anomalyId,
    watcher_id: event.watcherId,
    ref: refKind === null || refId === null ? null : { kind: refKind, id: refId },
    details: event.details,
  };
}
