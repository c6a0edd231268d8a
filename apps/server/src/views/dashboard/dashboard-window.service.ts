import { Injectable } from '@nestjs/common';
import { type CallerOrg } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { EARLIEST_TIMESTAMP } from '../../common/validation/time-param.decorators.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { type DashboardParams } from './dto/dashboard.params.js';

/** Smaller numbers are seconds: as milliseconds they would be before 1974. */
const FIRST_MILLISECONDS = 1e11;

/** The window that a dashboard requests. */
@Injectable()
export class DashboardWindowService {
  constructor(
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** Returns the window in seconds, with the settings of the organisation. @throws ValidationFailedError */
  async resolve(
    org: CallerOrg,
    { from, to, until }: DashboardParams,
  ): Promise<{ window: Window; settings: SeriesSettings }> {
    const settings = { ...(await this.orgs.getAnalysisVariables(org.id)), timezone: org.timezone };
    const input = { from: secondsOf(from), until: secondsOf(to ?? until) };
    for (const [field, value] of Object.entries({ from: input.from, to: input.until })) {
      if (value === undefined || value >= EARLIEST_TIMESTAMP) continue;
      throw new ValidationFailedError([
        {
          field,
          code: 'out_of_range',
          message: `${field} must be Unix milliseconds or seconds of the year 2000 or later, got ${String(value)}`,
        },
      ]);
    }
    return { window: resolveWindow(input, this.clock.now(), settings.retention2PeriodSeconds), settings };
  }

  /** Milliseconds. */
  now(): number {
    return Math.floor(this.clock.now() * 1000);
  }
}

function secondsOf(time: number | undefined): number | undefined {
  return time === undefined || time < FIRST_MILLISECONDS ? time : Math.floor(time / 1000);
}
