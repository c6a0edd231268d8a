import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type Page } from '../../common/paging/paging.js';
import { DAY } from '../../common/time.js';
import { UserService } from '../../people/user/user.service.js';
import { type IncidentDto, toIncidentDto } from './incident.dto.js';
import { type IncidentEntity } from './incident.entity.js';
import { IncidentNotFoundError } from './incident.errors.js';
import { type IncidentFilter, type IncidentOrder, IncidentRepository } from './incident.repository.js';

const WEEK = 7 * DAY;

/** Incidents for people. */
@Injectable()
export class IncidentService {
  constructor(
    private readonly incidents: IncidentRepository,
    private readonly users: UserService,
    private readonly clock: Clock,
  ) {}

  /** @throws IncidentNotFoundError */
  async get(caller: KnownCaller, id: number): Promise<IncidentDto> {
    const row = await this.incidents.find(caller.org.id, id);
    if (!row) throw new IncidentNotFoundError(id);
    const [record] = await this.present(caller, [row]);
    return record!;
  }

  async isThere(orgId: number, id: number): Promise<boolean> {
    return (await this.incidents.find(orgId, id)) !== null;
  }

  /** Other open anomalies of the incident of an anomaly that are acknowledged, or not; none without an incident. */
  openCompanions(orgId: number, anomalyId: number, which: { acknowledged: boolean }): Promise<number[]> {
    return this.incidents.openCompanions(orgId, anomalyId, which);
  }

  /** Records of the existing incidents among the ids, by id. */
  async findByIds(caller: KnownCaller, ids: readonly number[]): Promise<Map<number, IncidentDto>> {
    const rows = ids.length === 0 ? [] : await this.incidents.findMany(caller.org.id, ids);
    return new Map((await this.present(caller, rows)).map((record) => [record.id, record]));
  }

  async list(
    caller: KnownCaller,
    filter: IncidentFilter,
    page: Page & { order: IncidentOrder },
  ): Promise<{ incidents: IncidentDto[]; total: number }> {
    const { rows, total } = await this.incidents.list(caller.org.id, filter, page, this.clock.now());
    return { incidents: await this.present(caller, rows), total };
  }

  /** Number of open incidents, and of incidents in the last seven days. */
  async count(orgId: number): Promise<{ open: number; last7Days: number }> {
    const { open, lately } = await this.incidents.counts(orgId, this.clock.now(), WEEK);
    return { open, last7Days: lately };
  }

  private async present(caller: KnownCaller, rows: readonly IncidentEntity[]): Promise<IncidentDto[]> {
    if (rows.length === 0) return [];
    const anomalies = await this.incidents.anomaliesOf(
      caller.org.id,
      rows.map(({ id }) => id),
    );
    const names = await this.users.displayNames(
      caller,
      [...anomalies.values()].map(({ acknowledgedBy }) => acknowledgedBy),
    );
    return rows.map((row): IncidentDto => {
      const { ids, acknowledgedBy, acknowledgedAt, outUntil } = anomalies.get(row.id) ?? NONE;
      return toIncidentDto(row, caller.org.timezone, {
        ids,
        acknowledgedBy,
        acknowledgedByName: acknowledgedBy === null ? null : (names.get(acknowledgedBy) ?? null),
        acknowledgedAt,
        outUntil,
      });
    });
  }
}

const NONE = { ids: [], acknowledgedBy: null, acknowledgedAt: null, outUntil: null };
