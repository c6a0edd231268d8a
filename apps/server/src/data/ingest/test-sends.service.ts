import { Injectable } from '@nestjs/common';
import { type ParseResult } from '#libs/protocols';
import { Clock } from '../../common/clock.js';
import { OrgService } from '../../people/org/org.service.js';
import { mergeTestResults, type TestResult, testResultOf } from './test-result.js';
import { TestSendRepository } from './test-sends.repository.js';

/** Time for which a send in test mode is stored. */
const KEPT_SECONDS = 600;
/** Maximum number of characters of stored results of one organisation; the newest are kept. */
const KEPT_BYTES = 8_000_000;

/** Keeps the effect of sends in test mode for ten minutes, whichever process received them. */
@Injectable()
export class TestSendsService {
  constructor(
    private readonly sends: TestSendRepository,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** @param result its batch would be stored, its refusals would not; `source` the service id of the sender */
  async record(orgId: number, source: string, result: ParseResult): Promise<void> {
    const { retention1ResolutionSeconds } = await this.orgs.getAnalysisVariables(orgId);
    const now = this.clock.now();
    await this.sends.insert(orgId, now, testResultOf(result, source, retention1ResolutionSeconds));
    await this.sends.trim(orgId, now - KEPT_SECONDS, KEPT_BYTES);
  }

  /** The combined effect of all sends of the last ten minutes. */
  async getRecent(orgId: number): Promise<TestResult> {
    return mergeTestResults(await this.sends.since(orgId, this.clock.now() - KEPT_SECONDS));
  }
}
