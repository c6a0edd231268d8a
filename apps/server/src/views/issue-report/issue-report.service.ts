import { Injectable } from '@nestjs/common';
import { type UserCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { dateTime } from '../../common/display/display.js';
import { DAY, HOUR } from '../../common/time.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type MailContent } from '../../platform/mail/mail.types.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { UserService } from '../../people/user/user.service.js';
import { type ReportedIssueDto } from './dto/issue-report-answers.dto.js';
import { type ReportIssueParams } from './dto/report-issue.params.js';
import { IssueReportRepository } from './issue-report.repository.js';

const KEPT_SECONDS = 400 * DAY;
/**
 * Maximum number of mailed reports: further ones are stored only, so that one organisation does not fill the operator's
 * mailbox.
 */
const MAILED_PER_HOUR = 20;

/** Reports of users about the service, for the operator. */
@Injectable()
export class IssueReportService {
  constructor(
    private readonly reports: IssueReportRepository,
    private readonly users: UserService,
    private readonly orgs: OrgService,
    private readonly mailer: MailerService,
    private readonly events: EventRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Stores the report and mails it if OPERATOR_EMAIL is set. Without mail the operator finds it in the table. */
  async report({ org, userId }: UserCaller, params: ReportIssueParams): Promise<ReportedIssueDto> {
    const reportedAt = this.clock.now();
    const context = JSON.stringify(params.context);
    const [user, { name: orgName }] = await Promise.all([
      this.users.getById(org.id, userId),
      this.orgs.getById(org.id),
    ]);
    const id = await this.transactions.run(async (tx) => {
      await this.reports.forgetBefore(org.id, reportedAt - KEPT_SECONDS, tx);
      const report = { userId, reportedAt, message: params.message, url: params.url, context };
      const created = await this.reports.insert(org.id, report, tx);
      const to = this.mailer.operatorAddress;
      const recent = await this.reports.countSince(org.id, reportedAt - HOUR, tx);
      if (to !== undefined && this.mailer.isConfigured && recent <= MAILED_PER_HOUR) {
        const facts: [string, string][] = [
          ['Organisation', `${orgName} (${String(org.id)})`],
          ['User', `${user.name} <${user.email ?? ''}> (${String(userId)})`],
          ['Reported', dateTime(reportedAt, 'UTC')],
          ['Page', params.url === '' ? 'not given' : params.url],
        ];
        if (context !== '{}') facts.push(['Context', context]);
        const content: MailContent = {
          heading: `Issue ${String(created)} was reported`,
          paragraphs: [params.message],
          facts,
        };
        await this.mailer.queue(
          { to, subject: `Issue ${String(created)} from ${orgName}`, content, orgId: org.id },
          tx,
        );
      }
      this.events.record(
        {
          orgId: org.id,
          type: 'issue_reported',
          level: 'info',
          message: `Issue ${String(created)} was reported to the operator of the service.`,
          userId,
          ref: { kind: 'issue', id: String(created) },
          details: { issue_id: created },
        },
        tx,
      );
      return created;
    });
    return { issue_id: id, message: 'OK' };
  }
}
