import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type AlertChannel, composeTest, type Destination } from '#libs/alerting';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { Links } from '../../common/http/links.js';
import { OrgService } from '../../people/org/org.service.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { ChannelError } from '../channel/channel.errors.js';
import { type Channel } from '../channel/channel.types.js';
import { TEST_MESSAGES } from '../channel/channel-limits.types.js';
import { type ServiceTestedDto } from './dto/integration.dto.js';
import { IntegrationNotConfiguredError } from './integration.errors.js';
import { serviceOf } from './integration.service.js';
import { IntegrationSettingsService } from './integration-settings.service.js';
import { type ServiceDefinition } from './service-definition.types.js';
import { type ServiceId } from './services.types.js';
import { TestRecipientsService } from './test-recipients.service.js';

const LONGEST_SECONDS = 15;

/** Tests a service with a real message that is marked as a test. */
@Injectable()
export class IntegrationTestsService {
  constructor(
    private readonly channels: ChannelRegistryService,
    private readonly settings: IntegrationSettingsService,
    private readonly recipients: TestRecipientsService,
    private readonly orgs: OrgService,
    private readonly limits: RateLimits,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceNotFoundError, IntegrationNotConfiguredError, RateLimitedError, ValidationFailedError */
  async test(caller: KnownCaller, serviceId: string, recipient: string | undefined): Promise<ServiceTestedDto> {
    const service = serviceOf(serviceId);
    const channel = await this.channelOf(caller.org.id, service);
    const destination = await this.recipients.find(caller, channel.id, recipient);
    await this.limits.consume(TEST_MESSAGES, String(caller.org.id));
    const start = performance.now();
    const reason = await this.send(caller.org.id, channel, destination);
    await this.settings.noteOutcome(caller.org.id, service.id as ServiceId, reason);
    return {
      ok: reason === null,
      message: reason === null ? 'The test message was accepted.' : `The test message was not accepted: ${reason}.`,
      duration_seconds: Math.round(performance.now() - start) / 1000,
    };
  }

  private async channelOf(orgId: number, service: ServiceDefinition): Promise<Channel> {
    const channel = service.category === 'alert' ? this.channels.find(service.id as AlertChannel) : undefined;
    if (channel === undefined)
      throw new IntegrationNotConfiguredError(`No message can be sent through ${service.name}.`);
    const missing = await channel.missing(orgId);
    if (missing !== null) throw new IntegrationNotConfiguredError(`${service.name} is not connected: ${missing}.`);
    return channel;
  }

  /** Why it was not accepted; null if it was. */
  private async send(orgId: number, channel: Channel, destination: Destination): Promise<string | null> {
    const now = Math.floor(this.clock.now());
    const { name, timezone } = await this.orgs.getById(orgId);
    const id = randomUUID();
    const content = composeTest({
      ...{ id, now, timezone, org: { id: orgId, name }, watcher: null, requestedBy: null, example: null },
      links: { console: this.links.console('/'), act: null, graph: null, image: null },
      event: { type: 'test', data: { title: `Test message of ${name}` } },
    });
    const message = { id, orgId, content, destination, thread: null, createdAt: now };
    try {
      await channel.send(message, AbortSignal.timeout(LONGEST_SECONDS * 1000));
      return null;
    } catch (error) {
      if (error instanceof ChannelError) return messageOf(error);
      if (error instanceof Error && error.name === 'AbortError') return 'no answer';
      throw error;
    }
  }
}
