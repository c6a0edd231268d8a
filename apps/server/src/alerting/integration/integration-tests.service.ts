import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { type AlertChannel } from '#libs/alerting';
import { type KnownCaller } from '../../common/auth/caller.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { OnboardingService } from '../../people/progress/onboarding.service.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { type Channel } from '../channel/channel.types.js';
import { TEST_MESSAGES } from '../channel/channel-limits.types.js';
import { type ServiceTestedDto } from './dto/integration.dto.js';
import { IntegrationNotConfiguredError } from './integration.errors.js';
import { serviceOf } from './integration.service.js';
import { IntegrationSettingsService } from './integration-settings.service.js';
import { type ServiceDefinition } from './service-definition.types.js';
import { type ServiceId } from './services.types.js';
import { TestMessagesService } from './test-messages.service.js';
import { TestRecipientsService } from './test-recipients.service.js';

/** Tests a service with a real message that is marked as a test. */
@Injectable()
export class IntegrationTestsService {
  constructor(
    private readonly channels: ChannelRegistryService,
    private readonly settings: IntegrationSettingsService,
    private readonly recipients: TestRecipientsService,
    private readonly messages: TestMessagesService,
    private readonly limits: RateLimits,
    private readonly onboarding: OnboardingService,
  ) {}

  /** @throws ServiceNotFoundError, IntegrationNotConfiguredError, RateLimitedError, ValidationFailedError */
  async test(caller: KnownCaller, serviceId: string, recipient: string | undefined): Promise<ServiceTestedDto> {
    const service = serviceOf(serviceId);
    const channel = await this.channelOf(caller.org.id, service);
    const destination = await this.recipients.find(caller, channel.id, recipient);
    await this.limits.consume(TEST_MESSAGES, String(caller.org.id));
    const start = performance.now();
    const reason = await this.messages.send(caller.org.id, channel, destination);
    await this.settings.noteOutcome(caller.org.id, service.id as ServiceId, reason);
    if (reason === null) await this.onboarding.noteDone(caller, 'test_alert_sent');
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
}
