import { Module } from '@nestjs/common';
import { OrgModule } from '../../people/org/org.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { ConfigDocumentController } from './config-document.controller.js';
import { ConfigDocumentService } from './config-document.service.js';
import { ConfigJudgeService } from './config-judge.service.js';
import { DocumentReaderService } from './document-reader.service.js';

/** Settings as documents that can be versioned in git. Each area registers the kinds that it describes. */
@Module({
  imports: [ConfigKindModule, OrgModule],
  controllers: [ConfigDocumentController],
  providers: [ConfigDocumentService, ConfigJudgeService, DocumentReaderService],
})
export class ConfigDocumentModule {}
