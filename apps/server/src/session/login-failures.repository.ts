import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';

/** Counters in the database: they hold for all processes and survive a restart. */
@Injectable()
export class LoginFailuresRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  limiter(options: { name: string; points: number; windowSeconds: number }): RateLimiterPostgres {
    return new RateLimiterPostgres({
      storeClient: this.dataSource,
      storeType: 'typeorm',
      tableName: 'attempt_count',
      tableCreated: true,
      keyPrefix: options.name,
      points: options.points,
      duration: options.windowSeconds,
    });
  }
}
