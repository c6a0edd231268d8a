import { Injectable } from '@nestjs/common';
import { PointLogPlaceRepository } from './point-log-place.repository.js';
import { StorageConfig } from './storage.config.js';

/** What is fixed for the life of an installation. */
@Injectable()
export class InstallationLayoutService {
  constructor(
    private readonly places: PointLogPlaceRepository,
    private readonly config: StorageConfig,
  ) {}

  /** `id`: what the installation has outside of its database says by this whose it is. */
  async get(): Promise<{ partitions: number; id: string }> {
    const { partitions, logId } = await this.places.getLayout(this.config.partitions);
    return { partitions, id: logId };
  }
}
