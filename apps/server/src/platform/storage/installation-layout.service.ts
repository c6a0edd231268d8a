import { Injectable } from '@nestjs/common';
import { PointLogPlaceRepository } from './point-log-place.repository.js';
import { StorageConfig } from './storage.config.js';

/** Properties that are fixed for the life of an installation. */
@Injectable()
export class InstallationLayoutService {
  constructor(
    private readonly places: PointLogPlaceRepository,
    private readonly config: StorageConfig,
  ) {}

  /** `id`: identifies the installation in data that it has outside of its database. */
  async get(): Promise<{ partitions: number; id: string }> {
    const { partitions, logId } = await this.places.getLayout(this.config.partitions);
    return { partitions, id: logId };
  }
}
