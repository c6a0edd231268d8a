import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { DemoStoryEntity } from './demo.entity.js';

/** A part of the story; each is applied once. */
export type DemoStoryStep = 'taughtAt' | 'confirmedAt' | 'tunedAt';

/** Records which parts of their stories demo organisations have received. */
@Injectable()
export class DemoStoryRepository {
  constructor(@InjectRepository(DemoStoryEntity) private readonly rows: Repository<DemoStoryEntity>) {}

  async find(orgId: number): Promise<Pick<DemoStoryEntity, DemoStoryStep | 'tuningId'>> {
    const row = await this.rows.findOneBy({ orgId });
    return row ?? { taughtAt: null, confirmedAt: null, tunedAt: null, tuningId: null };
  }

  /** Returns whether a finding in its series is still pending, and a text that changes with the findings. */
  async findings(orgId: number): Promise<{ isPending: boolean; state: string }> {
    const rows: { isPending: boolean; state: string }[] = await this.rows.query(
      `SELECT EXISTS (SELECT FROM anomaly_change WHERE org_id = $1)
                OR EXISTS (SELECT FROM anomaly_candidate WHERE org_id = $1 AND state = 'pending') AS "isPending",
              (SELECT concat_ws('/', count(*), max(id), max(start_timestamp), count(end_timestamp))
               FROM anomaly WHERE org_id = $1) AS state`,
      [orgId],
    );
    return rows[0]!;
  }

  async note(orgId: number, steps: Partial<Pick<DemoStoryEntity, DemoStoryStep | 'tuningId'>>): Promise<void> {
    await this.rows.upsert({ orgId, ...steps }, ['orgId']);
  }
}
