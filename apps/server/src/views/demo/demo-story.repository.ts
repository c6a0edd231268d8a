import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { DemoStoryEntity } from './demo.entity.js';

/** A part of the story; each is made once. */
export type Chapter = 'taughtAt' | 'confirmedAt' | 'tunedAt';

/** What of their stories demo organisations were told. */
@Injectable()
export class DemoStoryRepository {
  constructor(@InjectRepository(DemoStoryEntity) private readonly rows: Repository<DemoStoryEntity>) {}

  async find(orgId: number): Promise<Pick<DemoStoryEntity, Chapter | 'tuningId'>> {
    const row = await this.rows.findOneBy({ orgId });
    return row ?? { taughtAt: null, confirmedAt: null, tunedAt: null, tuningId: null };
  }

  async note(orgId: number, told: Partial<Pick<DemoStoryEntity, Chapter | 'tuningId'>>): Promise<void> {
    await this.rows.upsert({ orgId, ...told }, ['orgId']);
  }
}
