import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { Links } from '../../common/http/links.js';
import { rateLimit, RateLimits } from '../../common/http/rate-limits.js';
import { HOUR } from '../../common/time.js';
import { MailedAddressesService } from '../../people/account/mailed-addresses.service.js';
import { MailNotConfiguredError } from '../../platform/mail/mail.errors.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { BenchmarkConfig } from './benchmark.config.js';
import { type BenchmarkEntity } from './benchmark.entity.js';
import { BenchmarkMailSentError, BenchmarkNotFoundError } from './benchmark.errors.js';
import { BenchmarkRepository } from './benchmark.repository.js';
import { type MailContent } from '../../platform/mail/mail.types.js';

/** Limit of requests for mails per network address. */
const BENCHMARK_MAILS = rateLimit({
  name: 'benchmarkMails',
  config: BenchmarkConfig,
  points: (config) => config.mails,
  windowSeconds: HOUR,
});

type Announced = Pick<BenchmarkEntity, 'key' | 'email' | 'orgId' | 'status'>;

/** The mail that announces the end of a benchmark. */
@Injectable()
export class BenchmarkAnnouncementsService {
  constructor(
    private readonly benchmarks: BenchmarkRepository,
    private readonly mailer: MailerService,
    private readonly limits: RateLimits,
    private readonly mailed: MailedAddressesService,
    private readonly links: Links,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Checks whether a mail may be requested now; the request counts for the caller and for the recipient.
   * @param address of the network
   * @throws MailNotConfiguredError, RateLimitedError
   */
  async requireAllowed(address: string, email: string): Promise<void> {
    if (!this.mailer.isConfigured) throw new MailNotConfiguredError();
    await this.limits.consume(BENCHMARK_MAILS, address);
    await this.mailed.count(email);
  }

  /**
   * Sets the address for the mail; sends it immediately if the benchmark is finished. @throws BenchmarkMailSentError
   */
  async setEmail(key: string, email: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const row = await this.benchmarks.findToChange(key, tx);
      if (!row) throw new BenchmarkNotFoundError();
      if (row.mailed) throw new BenchmarkMailSentError();
      if (row.finishedAt === null) await this.benchmarks.update(key, { email }, tx);
      else await this.announce({ key, email, orgId: row.orgId, status: row.status }, tx);
    });
  }

  /** Queues the mail of a finished benchmark, and deletes the address. */
  async announce({ key, email, orgId, status }: Announced, tx: Tx): Promise<void> {
    if (email === null) return;
    const { subject, content } = benchmarkMail(status === 'failed', {
      pageUrl: this.links.console(`/benchmark/${key}`),
      chartUrl: this.links.api('/benchmark/chart', { benchmark_id: key }),
    });
    if (this.mailer.isConfigured) await this.mailer.queue({ to: email, subject, content, orgId }, tx);
    await this.benchmarks.update(key, { email: null, mailed: true }, tx);
  }
}

/** Contains no text of the user who started the benchmark: any visitor can have this mail sent to any address. */
function benchmarkMail(
  hasFailed: boolean,
  { pageUrl, chartUrl }: { pageUrl: string; chartUrl: string },
): { subject: string; content: MailContent } {
  return {
    subject: hasFailed ? 'Your benchmark has failed' : 'Your benchmark is done',
    content: {
      heading: hasFailed ? 'The benchmark has failed' : 'The benchmark is done',
      paragraphs: [
        hasFailed
          ? 'The models could not be run over the series; the link says why.'
          : 'The models have been run over the series. The link shows what they found.',
        'The results are kept for seven days.',
      ],
      button: { label: hasFailed ? 'See why' : 'Compare the models', url: pageUrl },
      facts: hasFailed ? [] : [['Chart', chartUrl]],
      notes: ['If you did not request this mail, ignore it: the address is no longer stored.'],
    },
  };
}
