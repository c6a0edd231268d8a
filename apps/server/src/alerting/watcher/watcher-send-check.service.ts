import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { secondsOf } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SendDecision, type OutgoingMessage } from '../alert/alert.types.js';
import { SendChecksService } from '../alert/send-checks.service.js';
import { WatcherRepository } from './watcher.repository.js';

/** Muting may end earlier than announced. */
const RECHECK_SECONDS = 60;
const SEND: SendDecision = { type: 'send' };

/**
 * Checks whether the watcher of a message still wants it when it is about to be sent. The end of an earlier message is
 * always sent.
 */
@Injectable()
export class WatcherSendCheckService implements OnModuleInit {
  constructor(
    private readonly sendChecks: SendChecksService,
    private readonly watchers: WatcherRepository,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.sendChecks.register((message) => this.check(message));
  }

  private async check({ orgId, kind, phase, watcherId, isOver }: OutgoingMessage): Promise<SendDecision> {
    const isActive = phase === 'opened' || phase === 'updated';
    if (watcherId === null || !isActive || kind === 'test') return SEND;
    const watcher = await this.watchers.find(orgId, watcherId);
    if (watcher?.deletedAt !== null) return { type: 'suppress', reason: 'filter' };
    if (kind === 'summary') return SEND;
    if (!watcher.alert) return { type: 'suppress', reason: 'filter' };
    // It ended while alerts were muted.
    if (isOver) return { type: 'suppress', reason: 'muted' };
    const mutedUntil = (await this.orgs.find(orgId))?.alertsMutedUntil ?? null;
    const now = this.clock.now();
    if (mutedUntil === null || secondsOf(mutedUntil) <= now) return SEND;
    return { type: 'wait', until: Math.min(secondsOf(mutedUntil), now + RECHECK_SECONDS) };
  }
}
