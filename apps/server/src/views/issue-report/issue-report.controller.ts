import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, SessionOnly } from '../../common/auth/access.decorators.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ReportedIssueDto } from './dto/issue-report-answers.dto.js';
import { ReportIssueParams } from './dto/report-issue.params.js';
import { IssueReportService } from './issue-report.service.js';

@ApiTags('user')
@Controller('user')
export class IssueReportController {
  constructor(private readonly reports: IssueReportService) {}

  @Post('reportissue')
  @SessionOnly()
  @ApiOperation({
    summary: 'Report a fault to the operator of the service',
    description:
      'Stores the report with its page and context, makes an event of it, and mails it to the operator when an ' +
      'address is configured.',
  })
  @ApiEnvelope(ReportedIssueDto)
  report(@CurrentUser() user: UserCaller, @Params() params: ReportIssueParams): Promise<ReportedIssueDto> {
    return this.reports.report(user, params);
  }
}
