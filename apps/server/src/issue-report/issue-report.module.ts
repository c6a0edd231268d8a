import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { MailModule } from '../mail/mail.module.js';
import { OrgModule } from '../org/org.module.js';
import { UserModule } from '../user/user.module.js';
import { IssueReportController } from './issue-report.controller.js';
import { IssueReportEntity } from './issue-report.entity.js';
import { IssueReportRepository } from './issue-report.repository.js';
import { IssueReportService } from './issue-report.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([IssueReportEntity]), EventRecordingModule, MailModule, OrgModule, UserModule],
  controllers: [IssueReportController],
  providers: [IssueReportService, IssueReportRepository],
})
export class IssueReportModule {}
