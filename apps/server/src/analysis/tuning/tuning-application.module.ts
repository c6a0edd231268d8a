import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TuningApplication } from './tuning-application.service.js';
import { TuningApplicationEntity, TuningEntity } from './tuning.entity.js';
import { TuningRepository } from './tuning.repository.js';

/** Brings tunings to metrics: what the role `detect` needs of the area. */
@Module({
  imports: [TypeOrmModule.forFeature([TuningApplicationEntity, TuningEntity])],
  providers: [TuningApplication, TuningRepository],
  exports: [TuningRepository],
})
export class TuningApplicationModule {}
