import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventModule } from '../../platform/event/event.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { IssueReportController } from './issue-report.controller.js';
import { IssueReportEntity } from './issue-report.entity.js';
import { IssueReportRepository } from './issue-report.repository.js';
import { IssueReportService } from './issue-report.service.js';

/** Problems that users report to the operator of the installation. */
@Module({
  imports: [TypeOrmModule.forFeature([IssueReportEntity]), EventModule, MailModule, OrgModule, UserModule],
  controllers: [IssueReportController],
  providers: [IssueReportService, IssueReportRepository],
})
export class IssueReportModule {}
