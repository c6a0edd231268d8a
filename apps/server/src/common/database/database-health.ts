import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ReadinessRegistry } from '../telemetry/readiness.js';

/** Without its database the process can neither answer nor accept anything: it is not ready. */
@Injectable()
export class DatabaseHealth implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly readiness: ReadinessRegistry,
  ) {}

  onModuleInit(): void {
    this.readiness.register('database', async () => {
      await this.dataSource.query('SELECT 1');
    });
  }
}
