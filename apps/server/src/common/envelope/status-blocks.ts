import { Injectable } from '@nestjs/common';
import {
  type ErrorData,
  type ErrorDetail,
  ONBOARDING_FLAGS,
  type OnboardingFlags,
  type StatusBlock,
} from '#libs/contracts';
import { HOUR } from '../time.js';
import { type Caller } from '../auth/caller.js';
import { Clock } from '../clock.js';
import { ServerConfig } from '../config/server.config.js';
import { longDateTime } from '../display/display.js';
import { contextOf, type EdgeRequest, type RequestContext } from '../http/request-context.js';

/** Locales whose texts are part of the product; the first is the default. */
const INSTALLED_LOCALES = ['en-gb'] as const;

const NO_FLAGS = Object.fromEntries(ONBOARDING_FLAGS.map((flag) => [flag, false])) as OnboardingFlags;

/** Creates the `status` block of an answer. Needs only the request, so it is complete even if no guard has run. */
@Injectable()
export class StatusBlocks {
  constructor(
    private readonly config: ServerConfig,
    private readonly clock: Clock,
  ) {}

  create(request: EdgeRequest, code: number): StatusBlock {
    const language = languageOf(request.get('accept-language'));
    return this.block(contextOf(request), request.caller ?? { kind: 'anonymous' }, language, code);
  }

  /** For the answer to data that could not be read as a request. */
  ofUnreadable(context: RequestContext, code: number): StatusBlock {
    return this.block(context, { kind: 'anonymous' }, languageOf(undefined), code);
  }

  private block(context: RequestContext, caller: Caller, language: string, code: number): StatusBlock {
    const now = Math.floor(this.clock.now());
    const org = caller.kind === 'anonymous' ? undefined : caller.org;
    const timezone = org?.timezone ?? 'UTC';
    const ownSession = caller.kind === 'user' ? caller.sessionId : context.temporarySessionId();
    return {
      created_timestamp: now,
      created_string: longDateTime(now, timezone),
      duration: Math.round(context.elapsedSeconds() * 1000) / 1000,
      language,
      timezone: { timezone_type: 3, timezone },
      code,
      oldest_cached_component_age: Math.min(HOUR, Math.max(0, Math.round(context.oldestCachedAgeSeconds))),
      session_id: context.startedSessionId ?? ownSession,
      org_onboarding_status_id: org?.onboardingStatusId ?? 1,
      api_host: this.config.nodeName,
      user_onboarding_flags: caller.kind === 'user' ? { ...NO_FLAGS, ...caller.onboardingFlags } : NO_FLAGS,
    };
  }
}

export function errorData(code: string, message: string, details: readonly ErrorDetail[]): ErrorData {
  return { message, error: { code, details: [...details] } };
}

/** The installed locale that fits `Accept-Language` best: whole tag first, then the language alone. */
export function languageOf(acceptLanguage: string | undefined): string {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find((text) => text !== undefined);
      return { tag: tag.trim(), quality: Number(quality ?? 1) };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const language = tag.split('-')[0];
    const found =
      INSTALLED_LOCALES.find((locale) => locale === tag) ??
      INSTALLED_LOCALES.find((locale) => locale.split('-')[0] === language);
    if (found) return found;
  }
  return INSTALLED_LOCALES[0];
}
