import { Module } from '@nestjs/common';
import { ExclusionEffectsModule } from './exclusion-effects.module.js';
import { ExclusionRecordsModule } from './exclusion-records.module.js';
import { ExclusionUpkeep } from './exclusion-upkeep.service.js';

/** For the role `detect`. */
@Module({
  imports: [ExclusionEffectsModule, ExclusionRecordsModule],
  providers: [ExclusionUpkeep],
  exports: [ExclusionUpkeep],
})
export class ExclusionUpkeepModule {}
